// The application in a browser: Python answers the page's requests one after another. First loads what typed hands
// need, then the photo reader.
import start from "./onnxruntime/ort-wasm-simd-threaded.mjs";
import makePython from "./pyodide/pyodide.asm.mjs";
import { loadPyodide } from "./pyodide/pyodide.mjs";
import { entries } from "./archive.js";
import { runtime } from "./networks.js";
import { ROOT, store, weight } from "./parts.js";
import { multipart } from "./photos.js";
import { snapshots } from "./snapshot.js";
import { VERSION } from "./version.js";

const PYTHON = "site/pyodide/";
const PACKAGES = "/lib/python3.14/site-packages/";
const CORE = "site/core.tar";
const READING = "site/reading.tar";
const RUNTIME = "site/onnxruntime/ort-wasm-simd-threaded.wasm";
const ALL = [CORE, `${PYTHON}pyodide.asm.wasm`, `${PYTHON}python_stdlib.zip`, READING, RUNTIME];

const WITH_PHOTO = ["api/read", "api/find"];

let begun = null; // {parts, early, core, reading}: promises of the photo parts, the application, the open reader

onmessage = ({ data }) => (data.start ? begin(data.start) : answer(data));

function begin({ kept }) {
	const of = weight(ALL);
	let got = 0;
	const parts = store(kept, (bytes) => {
		got += bytes;
		postMessage({ got, of, kept });
	});
	const early = kept ? forReading(parts) : null;
	early?.catch(() => {}); // handled by its readers
	begun = { parts, early, core: reporting("core", application(parts)), reading: null };
	reading().catch(() => {}); // reported by `reporting`
}

/** Opens the photo reader. After a failure, the next photo tries again. */
function reading() {
	begun.reading ??= reporting(
		"reading",
		begun.core.then((core) => open(begun.parts, core, begun.early)),
	);
	begun.reading.catch(() => (begun.reading = begun.early = null));
	return begun.reading;
}

function reporting(stage, done) {
	done.then(
		() => postMessage({ ready: stage }),
		(error) => postMessage({ failed: messageOf(error), ready: stage }),
	);
	return done;
}

/** The last line of a Python error, or another error's message. */
const messageOf = (error) =>
	String(error?.message ?? error)
		.trim()
		.split("\n")
		.at(-1);

async function answer({ id, method, path, headers, form, body }) {
	try {
		const decoding = form ? multipart(form) : { body: new TextEncoder().encode(body) }; // while Python may still be starting
		const [{ ask }, made] = await Promise.all([begun.core, decoding, WITH_PHOTO.includes(path) && reading()]);
		const found = await ask(method, path, made.type ? [...headers, ["Content-Type", made.type]] : headers, made.body);
		const [status, answered, bytes] = found.toJs();
		found.destroy();
		postMessage({ id, status, headers: answered, body: bytes });
	} catch (error) {
		postMessage({ id, failed: messageOf(error) });
	}
}

/** Python's module with room for a snapshot larger than the initial memory, which Pyodide does not provide. */
const withRoom = (memory) => async (settings) => {
	const module = await makePython(settings);
	if (memory) module._malloc(memory.length); // the snapshot will overwrite it, bookkeeping included
	return module;
};

/** Python with everything for typed hands. */
async function application(parts) {
	const [archive, snapshot] = await Promise.all([parts.bytes(CORE), snapshots(`tehai:${ROOT}:memory:${VERSION}`)]);
	const boot = async (how) => {
		const python = await servingParts(parts, () =>
			// Safari cannot suspend Python, and nothing here needs that
			loadPyodide({
				indexURL: ROOT + PYTHON,
				packages: [],
				enableRunUntilComplete: false,
				createPyodideModule: withRoom(how._loadSnapshot),
				...how,
			}),
		);
		unpack(python, archive);
		return python;
	};
	const booted = await snapshot.booted(boot, (python) =>
		python.runPython("from tehai.site import application; application.warm()"),
	);
	const module = booted.pyimport("tehai.site.application");
	return { python: booted, ask: module.answer, reader: module.reader };
}

/** Serves Pyodide's own fetches from the parts. */
async function servingParts(parts, act) {
	const own = globalThis.fetch;
	globalThis.fetch = (address, how) => {
		const path = String(address.url ?? address).replace(ROOT, "");
		return path.startsWith(PYTHON) ? parts.part(path) : own(address, how);
	};
	try {
		return await act();
	} finally {
		globalThis.fetch = own;
	}
}

function unpack({ FS }, archive) {
	for (const [name, bytes] of entries(archive)) {
		if (bytes) FS.writeFile(PACKAGES + name, bytes, { canOwn: true });
		else FS.mkdirTree((PACKAGES + name).slice(0, -1));
	}
}

/** The network runtime. From stored parts it compiles while Python starts; on a first visit Python's parts come first.
 * */
async function compiled(wasm) {
	const module = await WebAssembly.compileStreaming(wasm);
	return runtime(start, {
		instantiateWasm: (imports, done) => {
			WebAssembly.instantiate(module, imports).then((instance) => done(instance, module));
			return {};
		},
	});
}

/** The archive with numpy and the networks, and their runtime. */
const forReading = (parts) => Promise.all([parts.bytes(READING), parts.part(RUNTIME).then(compiled)]);

/** Gives the reader its networks. */
async function open(parts, { python, reader }, early) {
	const [archive, networks] = await (early ?? forReading(parts));
	unpack(python, archive);
	python.runPython("import importlib; importlib.invalidate_caches()");
	reader.open(bridgeFor(networks));
}

/** The networks as Python calls them, without copying its input. */
function bridgeFor({ create, run }) {
	const within = (value, act) => {
		const buffer = value.getBuffer("u8");
		try {
			return act(buffer.data);
		} finally {
			buffer.release();
		}
	};
	return {
		create: (data) => within(data, create),
		run: (number, pictures, shape) => within(pictures, (bytes) => run(number, bytes, shape.toJs())),
	};
}

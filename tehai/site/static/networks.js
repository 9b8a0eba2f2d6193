// ONNX Runtime's WebAssembly, called synchronously on one thread. Its own JavaScript returns promises.
// Python would have to be suspended for them, which not every browser can do.

const FLOATS = 1; // ONNX TensorProto.DataType
const BYTES = 2;
const ON_CPU = 1; // location of a tensor's data
const ALL = 99; // all graph optimisations
const ERRORS = 3; // log level: errors and worse

/** Creates the runtime. `start`: the module's default export. `options`: its options (`wasmBinary`, `locateFile`). */
export async function runtime(start, options) {
	const wasm = await start({ numThreads: 1, ...options });
	const pointer = wasm.PTR_SIZE ?? 4;
	const read = (at) => wasm.getValue(at, "*");

	function check(failed) {
		if (!failed) return;
		const stack = wasm.stackSave();
		const at = wasm.stackAlloc(2 * pointer);
		wasm._OrtGetLastError(at, at + pointer);
		const message = wasm.UTF8ToString(read(at + pointer));
		wasm.stackRestore(stack);
		throw new Error(`ONNX Runtime: ${message}`);
	}

	/** Calls `act` with room for so many pointers on the stack. */
	function withStack(pointers, act) {
		const stack = wasm.stackSave();
		try {
			return act(wasm.stackAlloc(pointers * pointer));
		} finally {
			wasm.stackRestore(stack);
		}
	}

	function copyIn(bytes) {
		const at = wasm._malloc(bytes.byteLength);
		if (!at) throw new Error("ONNX Runtime: out of memory");
		wasm.HEAPU8.set(bytes, at);
		return at;
	}

	check(wasm._OrtInit(1, ERRORS));
	const networks = [];

	/** Loads a network from its file's bytes. Returns its number. */
	function create(bytes) {
		const data = copyIn(bytes);
		const name = copyIn(new TextEncoder().encode("tehai\0"));
		const options = wasm._OrtCreateSessionOptions(ALL, true, true, 0, false, 0, name, ERRORS, 0, 0);
		check(!options);
		const session = wasm._OrtCreateSession(data, bytes.byteLength, options);
		for (const each of [data, name]) wasm._free(each);
		check(!session);
		const names = withStack(2, (at) => {
			check(wasm._OrtGetInputOutputCount(session, at, at + pointer));
			const [inputs, outputs] = [read(at), read(at + pointer)];
			return Array.from({ length: inputs + outputs }, (_, nth) => {
				check(wasm._OrtGetInputOutputMetadata(session, nth, at, at + pointer));
				return read(at); // owned by the runtime, valid as long as the session
			});
		});
		return networks.push({ session, input: names[0], outputs: names.slice(1) }) - 1;
	}

	/** Runs a network with one input of bytes or floats. Returns its outputs, each `{data, shape}`. */
	function run(number, bytes, shape) {
		const { session, input, outputs } = networks[number];
		const count = shape.reduce((all, side) => all * side, 1);
		const kind = bytes.byteLength === count ? BYTES : FLOATS;
		const data = copyIn(bytes);
		try {
			return withStack(shape.length + 2 + 2 * outputs.length + 4, (at) => {
				shape.forEach((side, nth) => wasm.setValue(at + nth * pointer, side, "*"));
				const tensor = wasm._OrtCreateTensor(kind, data, bytes.byteLength, at, shape.length, ON_CPU);
				check(!tensor);
				const [value, name] = [at + shape.length * pointer, at + (shape.length + 1) * pointer];
				const names = name + pointer;
				const values = names + outputs.length * pointer;
				wasm.setValue(value, tensor, "*");
				wasm.setValue(name, input, "*");
				outputs.forEach((output, nth) => {
					wasm.setValue(names + nth * pointer, output, "*");
					wasm.setValue(values + nth * pointer, 0, "*");
				});
				const failed = wasm._OrtRun(session, name, value, 1, names, outputs.length, values, 0);
				wasm._OrtReleaseTensor(tensor);
				check(failed);
				const scratch = values + outputs.length * pointer;
				return outputs.map((_, nth) => readOutput(read(values + nth * pointer), scratch));
			});
		} finally {
			wasm._free(data);
		}
	}

	function readOutput(tensor, scratch) {
		const [type, at, sides, count] = [0, 1, 2, 3].map((nth) => scratch + nth * pointer);
		check(wasm._OrtGetTensorData(tensor, type, at, sides, count));
		if (wasm.getValue(type, "i32") !== FLOATS) throw new Error("a network answers with numbers of another kind");
		const first = read(sides);
		const shape = Array.from({ length: wasm.getValue(count, "i32") }, (_, nth) => read(first + nth * pointer));
		const size = shape.reduce((all, side) => all * side, 1);
		const data = new Float32Array(wasm.HEAPU8.buffer, read(at), size).slice();
		wasm._OrtFree(first);
		wasm._OrtReleaseTensor(tensor);
		return { data, shape };
	}

	return { create, run };
}

// Stores the whole site, one version at a time. A version is served once all its files are fetched, from the next start
// on.
// The build puts VERSION and FILES before this: path to [SHA-256 in base64, bytes].

const SCOPE = registration.scope;
const OURS = `tehai:${SCOPE}:`;
const KEPT = `${OURS}files:${VERSION}`;
const PACKED = /\.bin$/; // gzip, under a name that no host recompresses
const HASH = "X-Hash";
const TYPES = {
	css: "text/css",
	html: "text/html",
	jpg: "image/jpeg",
	js: "text/javascript",
	json: "application/json",
	mjs: "text/javascript",
	svg: "image/svg+xml",
	txt: "text/plain",
	wasm: "application/wasm",
	webmanifest: "application/manifest+json",
};

const unpackedPath = (path) => path.replace(PACKED, "");
const typeOf = (path) => TYPES[path === "./" ? "html" : path.split(".").pop()] ?? "application/octet-stream";

async function fetched(path, hash) {
	const answer = await fetch(SCOPE + path, { integrity: `sha256-${hash}`, cache: "no-cache" });
	if (!answer.ok || answer.redirected) throw new Error(`${path}: ${answer.status}`);
	const body = PACKED.test(path) ? answer.body.pipeThrough(new DecompressionStream("gzip")) : answer.body;
	return new Response(body, {
		headers: {
			"Content-Type": typeOf(unpackedPath(path)),
			"Content-Security-Policy": POLICY,
			"X-Content-Type-Options": "nosniff",
			[HASH]: hash,
		},
	});
}

async function olderCaches() {
	const names = (await caches.keys()).filter((name) => name.startsWith(`${OURS}files:`) && name !== KEPT);
	return Promise.all(names.map((name) => caches.open(name)));
}

/** An equal file of another version. */
async function equalFile(places, path, hash) {
	for (const place of places) {
		const found = await place.match(SCOPE + path);
		if (found?.headers.get(HASH) === hash) return found;
	}
	return null;
}

async function keepAll() {
	const place = await caches.open(KEPT);
	const before = await olderCaches();
	for (const [path, [hash]] of Object.entries(FILES)) {
		const name = unpackedPath(path);
		if ((await equalFile([place], name, hash)) === null)
			await place.put(SCOPE + name, (await equalFile(before, name, hash)) ?? (await fetched(path, hash)));
	}
}

addEventListener("install", (event) => event.waitUntil(keepAll()));

addEventListener("activate", (event) => {
	const deleteOlder = async () => {
		const names = (await caches.keys()).filter((name) => name.startsWith(OURS) && !name.endsWith(`:${VERSION}`));
		await Promise.all(names.map((name) => caches.delete(name)));
		await clients.claim();
	};
	event.waitUntil(deleteOlder());
});

/** Takes over for a newly opened page, unless another page still uses the old version. */
async function takeOver() {
	const pages = await clients.matchAll({ type: "window", includeUncontrolled: true });
	if (pages.filter(({ url }) => url.startsWith(SCOPE)).length < 2) await skipWaiting();
}

addEventListener("message", (event) => event.data === "take" && event.waitUntil(takeOver()));

addEventListener("fetch", (event) => {
	const { method, url } = event.request;
	const address = new URL(url);
	if (address.origin !== location.origin)
		event.respondWith(Response.error()); // no other host
	else if (method === "GET" && url.startsWith(SCOPE)) event.respondWith(answer(address, event.request));
});

async function answer(address, request) {
	const path = (address.origin + address.pathname).slice(SCOPE.length);
	const name = ["", "index.html"].includes(path) ? "./" : unpackedPath(path); // see parts.js
	const found = await (await caches.open(KEPT)).match(SCOPE + name);
	if (found) return found;
	const packed = name in FILES ? name : `${name}.bin`;
	return packed in FILES ? fetched(packed, FILES[packed][0]) : fetch(request);
}

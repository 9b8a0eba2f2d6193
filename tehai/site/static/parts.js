// Fetches the parts of the site. Packed ones are unpacked here, whatever the host supports. The service worker stores
// them unpacked.
import { FILES } from "./version.js";

export const ROOT = new URL("../", import.meta.url).href;
const PACKED = ".bin"; // gzip, under a name that no host recompresses
const HASH = "X-Hash"; // on all answers of the service worker, which are unpacked
const TYPES = { wasm: "application/wasm", json: "application/json" };

/** Fetches parts by path. `kept`: whether the service worker has stored them. `came(bytes)` is called for each piece.
 * */
export function store(kept, came) {
	const ask = globalThis.fetch.bind(globalThis); // in case it is replaced later

	async function part(path) {
		const packed = !kept && path + PACKED in FILES;
		const answer = await ask(ROOT + path + (packed ? PACKED : ""));
		if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
		if (kept || answer.headers.has(HASH)) {
			// after a hard reload the page has no service worker, but this worker has
			came(weight([path]));
			return answer; // unchanged, so that the browser's compiled code stays usable
		}
		const counted = new TransformStream({
			transform(piece, next) {
				came(piece.length);
				next.enqueue(piece);
			},
		});
		const body = answer.body.pipeThrough(counted);
		const type = TYPES[path.split(".").pop()] ?? "application/octet-stream";
		return new Response(packed ? body.pipeThrough(new DecompressionStream("gzip")) : body, {
			headers: { "Content-Type": type },
		});
	}
	return { part, bytes: async (path) => new Uint8Array(await (await part(path)).arrayBuffer()) };
}

/** The bytes of these parts on the host. */
export const weight = (paths) => paths.reduce((all, path) => all + (FILES[path + PACKED] ?? FILES[path])[1], 0);

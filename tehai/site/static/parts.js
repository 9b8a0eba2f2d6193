// The parts of the site as they lie on the host: what is packed is unpacked here, whatever the host can do. Where the service
// worker keeps them it has them unpacked.
import { FILES } from "./version.js";

export const ROOT = new URL("../", import.meta.url).href;
const PACKED = ".bin"; // gzip, under a name of which no host makes more
const TYPES = { wasm: "application/wasm", json: "application/json" };

/** What gives parts by their path in the site. `kept`: whether the service worker has them; `came(bytes)` hears of each piece. */
export function store(kept, came) {
	const ask = globalThis.fetch.bind(globalThis); // whatever stands in its place later

	async function part(path) {
		const packed = !kept && path + PACKED in FILES;
		const answer = await ask(ROOT + path + (packed ? PACKED : ""));
		if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
		if (kept) {
			came(weight([path]));
			return answer; // as it is, for what the browser keeps with it: compiled code
		}
		const counted = new TransformStream({
			transform(piece, next) {
				came(piece.length);
				next.enqueue(piece);
			},
		});
		const body = answer.body.pipeThrough(counted);
		const type = TYPES[path.split(".").pop()] ?? "application/octet-stream";
		return new Response(packed ? body.pipeThrough(new DecompressionStream("gzip")) : body, { headers: { "Content-Type": type } });
	}
	return { part, bytes: async (path) => new Uint8Array(await (await part(path)).arrayBuffer()) };
}

/** How many bytes of these parts come from the host. */
export const weight = (paths) => paths.reduce((all, path) => all + (FILES[path + PACKED] ?? FILES[path])[1], 0);

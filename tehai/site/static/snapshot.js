// A snapshot of Python's memory after its start, stored on the device: loading it is faster than a new start.
// Pyodide does not document this, so that every failure means a normal start.

const NAME = "snapshot";
const TRIED = "tried";
const MOST_TRIES = 3; // failed loads after which this browser makes no snapshot

/** The snapshots of one version at one address. */
export async function snapshots(place) {
	let cache = null;
	let tried = 0;
	try {
		cache = await caches.open(place);
		tried = Number(await (await cache.match(TRIED))?.text()) || 0;
	} catch {
		// no secure address, or a private window
	}
	const storeTries = (times) => cache.put(TRIED, new Response(String(times)));

	async function load() {
		const found = tried < MOST_TRIES && (await cache?.match(NAME));
		if (!found) return null;
		return new Uint8Array(await new Response(found.body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
	}

	async function store(memory) {
		const packed = new Blob([memory]).stream().pipeThrough(new CompressionStream("gzip"));
		await cache.put(NAME, new Response(await new Response(packed).arrayBuffer()));
	}

	/** Starts Python with `boot(options)`. `prepare` runs before a snapshot is made. */
	async function booted(boot, prepare) {
		const memory = await load().catch(() => null);
		if (memory) {
			try {
				await storeTries(tried + 1);
				const python = await boot({ _loadSnapshot: memory });
				storeTries(0).catch(() => {});
				return python;
			} catch (error) {
				console.warn("no snapshot:", String(error));
				await cache.delete(NAME);
			}
		}
		if (!cache || tried >= MOST_TRIES) return prepared(await boot({}), prepare);
		const python = prepared(await boot({ _makeSnapshot: true }), prepare);
		try {
			store(python.makeMemorySnapshot()).catch(() => {}); // for example, no room
		} catch (error) {
			console.warn("no snapshot:", String(error));
			await storeTries(MOST_TRIES);
		}
		return python;
	}

	return { booted };
}

function prepared(python, prepare) {
	prepare(python);
	return python;
}

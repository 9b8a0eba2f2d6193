// A snapshot of Python's memory after its start, stored on the device: loading it is faster than a new start.
// Pyodide does not document this, so that every failure means a normal start.

const NAME = "snapshot";
const TRIED = "tried";
const MOST = 3; // failed loads after which this browser makes no snapshot

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
	const note = (times) => cache.put(TRIED, new Response(String(times)));

	async function kept() {
		const found = tried < MOST && (await cache?.match(NAME));
		if (!found) return null;
		return new Uint8Array(await new Response(found.body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
	}

	async function keep(memory) {
		const packed = new Blob([memory]).stream().pipeThrough(new CompressionStream("gzip"));
		await cache.put(NAME, new Response(await new Response(packed).arrayBuffer()));
	}

	/** Starts Python with `boot(options)`. `prepare` runs before a snapshot is made. */
	async function booted(boot, prepare) {
		const memory = await kept().catch(() => null);
		if (memory) {
			try {
				await note(tried + 1);
				const python = await boot({ _loadSnapshot: memory });
				note(0).catch(() => {});
				return python;
			} catch (error) {
				console.warn("no snapshot:", String(error));
				await cache.delete(NAME);
			}
		}
		if (!cache || tried >= MOST) return started(await boot({}), prepare);
		const python = started(await boot({ _makeSnapshot: true }), prepare);
		try {
			keep(python.makeMemorySnapshot()).catch(() => {}); // for example, no room
		} catch (error) {
			console.warn("no snapshot:", String(error));
			await note(MOST);
		}
		return python;
	}

	return { booted };
}

function started(python, prepare) {
	prepare(python);
	return python;
}

// Python's memory as it is once it is ready, kept on the device: to take it up again is faster than to start anew. Pyodide
// calls this its own affair, so that every failure means an ordinary start.

const NAME = "snapshot";
const TRIED = "tried";
const MOST = 3; // times that one was taken up and never came to its end; then this browser makes none

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

	/** What `boot(options)` starts; `prepare` makes of it what is kept. */
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
			keep(python.makeMemorySnapshot()).catch(() => {}); // no room, say
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

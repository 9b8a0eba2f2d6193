// Requests without a server: the application runs in a worker on this device. Answers to GET were stored when the site
// was built.
import { byId, h } from "./shared/dom.js";
import { t } from "./shared/text.js";

const service = navigator.serviceWorker;
const MEGABYTE = 1e6;
const FAULT = 500; // the application's answer to an unexpected error
const PATIENCE = 4000; // milliseconds for a new version to take over; it does not while another page is open
const INTERVAL = 300; // milliseconds between its attempts

let worker = null;
let waiting = new Map(); // request id to the function that takes the answer
let restarts = 0; // of workers that broke while loading
let failed = false; // later progress messages are ignored
let lastId = 0;
let announceVersion = () => {}; // announces a new version

let canRead; // resolves `reading`, once photos can be read
const reading = new Promise((resolve) => (canRead = resolve));

function start() {
	failed = false;
	worker = new Worker(new URL("site/worker.js", import.meta.url), { type: "module" });
	worker.onmessage = ({ data }) => {
		if (data.ready) onReady(data);
		else if (data.of && !failed) showProgress(data);
		else waiting.get(data.id)?.(data);
		if (data.id) waiting.delete(data.id);
	};
	worker.onerror = (event) => replaceWorker(event.message ?? "");
	worker.postMessage({ start: { kept: Boolean(service?.controller) } });
}

/** The loading progress of the photo reader. Stored parts load fast: only the camera screen shows their progress. */
function showProgress({ got, of, kept }) {
	if (kept) showNotice("site.preparing", { percent: Math.floor((100 * got) / of) });
	else showNotice("site.loading", { got: (got / MEGABYTE).toFixed(1), of: (of / MEGABYTE).toFixed(1) }, got >= of);
	byId("site").dataset.kept = kept ? "yes" : "";
}

function onReady({ ready, failed: why }) {
	failed = why !== undefined;
	if (failed) return replaceWorker(why, ready === "core");
	if (ready === "reading") {
		restarts = 0;
		if (byId("site")) byId("site").hidden = true;
		canRead();
	}
	announceVersion();
	document.body.dataset[ready] = "yes";
}

/** Replaces a worker that breaks at its start, once. Reports the second failure. */
function replaceWorker(why, isFatal = true) {
	if (!restarts++) {
		endWorker(why);
		return start();
	}
	if (isFatal) endWorker(why);
	showNotice("site.failed", { why });
}

/** Ends this worker. The next request starts a new one. */
function endWorker(why) {
	console.warn("worker:", why);
	worker?.terminate();
	worker = null;
	const left = [...waiting.values()];
	waiting = new Map();
	for (const take of left) take({ failed: why });
}

const failure = (why) => Response.json({ error: t("site.failed", { why }) }, { status: 500 });

export async function send(path, { method = "GET", headers = {}, body = "" } = {}) {
	if (method === "GET") return fetch(path.startsWith("api/") ? `${path.replace("?lang=", ".")}.json` : path);
	await started;
	const answer = await answerOf({
		method,
		path,
		headers: Object.entries(headers),
		...(body instanceof FormData ? { form: [...body] } : { body }),
	});
	return answer.failed === undefined
		? new Response(answer.body, { status: answer.status, headers: answer.headers })
		: failure(answer.failed);
}

/** Repeats a request in a new worker if the first breaks. WebKit's compiler sometimes breaks it, and phones reclaim
 * memory. */
async function answerOf(request) {
	if (!worker) start();
	const asking = worker;
	const answer = await post(request);
	const { failed: why = answer.status === FAULT && "an error in Python" } = answer;
	if (why === false) return answer;
	if (worker === asking) endWorker(why);
	if (!worker) start();
	return post(request);
}

function post(request) {
	const id = ++lastId;
	return new Promise((resolve) => {
		waiting.set(id, resolve);
		worker.postMessage({ ...request, id });
	});
}

/** Above everything else on the page. Screen readers announce changes, but not the progress. */
function showNotice(key, values = {}, over = false) {
	const place =
		byId("site") ??
		document
			.querySelector("main")
			.insertAdjacentElement("beforebegin", h("div", { id: "site", class: "notice", role: "status" }));
	place.setAttribute("aria-live", ["site.loading", "site.preparing"].includes(key) ? "off" : "polite");
	place.dataset.kept = "";
	place.hidden = over;
	place.textContent = t(key, values);
}

/** Activates a new version that was downloaded while the page was open. This comes before any request of the worker,
 * because the old version ends only when idle. Chromium does not notice that by itself, only when a page or worker
 * loads: hence the workers, any small module. */
async function takeNew() {
	const registration = await service?.getRegistration();
	if (!registration?.waiting) return;
	service.addEventListener("controllerchange", () => location.reload(), { once: true });
	const end = performance.now() + PATIENCE;
	while (performance.now() < end) {
		registration.waiting?.postMessage("take");
		const attempt = new Worker(new URL("site/archive.js", import.meta.url), { type: "module" });
		await new Promise((resolve) => setTimeout(resolve, INTERVAL));
		attempt.terminate();
	}
}

export async function keepPage() {
	if (!service) return;
	await started;
	if (!service.controller) await reading; // so that nothing is fetched twice
	try {
		const registration = await service.register("sw.js", { updateViaCache: "none" });
		announceVersion = () => service.controller && registration.waiting && showNotice("site.new");
		const watch = () => registration.installing?.addEventListener("statechange", announceVersion);
		announceVersion();
		watch(); // one may already be installing
		registration.addEventListener("updatefound", watch);
	} catch {
		// works without it while there is a network
	}
}

const started = takeNew()
	.catch(() => {})
	.then(start);

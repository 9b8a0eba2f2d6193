// Requests without a server: the application runs in a worker on this device. Answers to GET were stored when the site
// was built.
import { byId, h } from "./shared/dom.js";
import { t } from "./shared/text.js";

const service = navigator.serviceWorker;
const MEGABYTE = 1e6;
const FAULT = 500; // the application's answer to an unexpected error
const PATIENCE = 1000; // milliseconds for a new version to take over; it does not while another page is open

let worker = null;
let waiting = new Map(); // request id to the function that takes the answer
let renewals = 0; // of workers that broke while loading
let failed = false; // later progress messages are ignored
let asked = 0;
let tell = () => {}; // announces a new version

let read; // resolves `reading`, once photos can be read
const reading = new Promise((resolve) => (read = resolve));

function start() {
	failed = false;
	worker = new Worker(new URL("site/worker.js", import.meta.url), { type: "module" });
	worker.onmessage = ({ data }) => {
		if (data.ready) reached(data);
		else if (data.of && !failed) loading(data);
		else waiting.get(data.id)?.(data);
		if (data.id) waiting.delete(data.id);
	};
	worker.onerror = (event) => broke(event.message ?? "");
	worker.postMessage({ start: { kept: Boolean(service?.controller) } });
}

/** The loading progress of the photo reader. Stored parts load fast: only the camera screen shows their progress. */
function loading({ got, of, kept }) {
	if (kept) say("site.preparing", { percent: Math.floor((100 * got) / of) });
	else say("site.loading", { got: (got / MEGABYTE).toFixed(1), of: (of / MEGABYTE).toFixed(1) }, got >= of);
	byId("site").dataset.kept = kept ? "yes" : "";
}

function reached({ ready, failed: why }) {
	failed = why !== undefined;
	if (failed) return broke(why, ready === "core");
	if (ready === "reading") {
		renewals = 0;
		if (byId("site")) byId("site").hidden = true;
		read();
	}
	tell();
	document.body.dataset[ready] = "yes";
}

/** Replaces a worker that breaks at its start, once. Reports the second failure. */
function broke(why, wholly = true) {
	if (!renewals++) {
		end(why);
		return start();
	}
	if (wholly) end(why);
	say("site.failed", { why });
}

/** Ends this worker. The next request starts a new one. */
function end(why) {
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
	await begun;
	const answer = await answered({ method, path, headers: Object.entries(headers), ...(body instanceof FormData ? { form: [...body] } : { body }) });
	return answer.failed === undefined ? new Response(answer.body, { status: answer.status, headers: answer.headers }) : failure(answer.failed);
}

/** Repeats a request in a new worker if the first breaks. WebKit's compiler sometimes breaks it, and phones reclaim
 * memory. */
async function answered(request) {
	if (!worker) start();
	const asking = worker;
	const answer = await put(request);
	const { failed: why = answer.status === FAULT && "an error in Python" } = answer;
	if (why === false) return answer;
	if (worker === asking) end(why);
	if (!worker) start();
	return put(request);
}

function put(request) {
	const id = ++asked;
	return new Promise((resolve) => {
		waiting.set(id, resolve);
		worker.postMessage({ ...request, id });
	});
}


/** Above everything else on the page. Screen readers announce changes, but not the progress. */
function say(key, values = {}, over = false) {
	const place = byId("site") ?? document.querySelector("main").insertAdjacentElement("beforebegin", h("div", { id: "site", class: "notice", role: "status" }));
	place.setAttribute("aria-live", ["site.loading", "site.preparing"].includes(key) ? "off" : "polite");
	place.dataset.kept = "";
	place.hidden = over;
	place.textContent = t(key, values);
}


/** Activates a new version that was downloaded while the page was open. This comes before any request of the worker,
 * because the old version ends only when idle. */
async function takeNew() {
	const registration = await service?.getRegistration();
	if (!registration?.waiting) return;
	service.addEventListener("controllerchange", () => location.reload(), { once: true });
	registration.waiting.postMessage("take");
	await new Promise((resolve) => setTimeout(resolve, PATIENCE));
}

export async function keepPage() {
	if (!service) return;
	await begun;
	if (!service.controller) await reading; // so that nothing is fetched twice
	try {
		const registration = await service.register("sw.js", { updateViaCache: "none" });
		tell = () => service.controller && registration.waiting && say("site.new");
		const watch = () => registration.installing?.addEventListener("statechange", tell);
		tell();
		watch(); // one may already be installing
		registration.addEventListener("updatefound", watch);
	} catch {
		// works without it while there is a network
	}
}

const begun = takeNew()
	.catch(() => {})
	.then(start);

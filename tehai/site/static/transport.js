// How the page reaches the application where there is no server: it runs in a worker on this device, and what a GET asks for
// was written down when the site was built.
import { byId, h } from "./shared/dom.js";
import { t } from "./shared/text.js";

const service = navigator.serviceWorker;
const MEGABYTE = 1e6;
const FAULT = 500; // what the application answers where it does not know what happened
const PATIENCE = 1000; // milliseconds for another version to take over; it does not while another page is open

let worker = null;
let waiting = new Map(); // id of a request to what takes its answer
let renewals = 0; // of workers that broke before all was there
let failed = false; // what comes after that is no progress
let asked = 0;
let tell = () => {}; // of a new version

let read; // takes that photos can be read
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

/** How far it is with what reads photos. What is kept on the device comes soon: the camera screen alone says so. */
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

/** A worker that breaks at its start is replaced once; what breaks again is said. */
function broke(why, wholly = true) {
	if (!renewals++) {
		end(why);
		return start();
	}
	if (wholly) end(why);
	say("site.failed", { why });
}

/** Nothing more is to be had of this worker; the next request begins with a new one. */
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

/** What breaks a worker half-way (WebKit's compiler does now and then, and a phone takes memory away) is done again by a new
 * one. */
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

// --- what is said of it ---

/** Above everything else on the page; a screen reader says it when it changes, and not each megabyte. */
function say(key, values = {}, over = false) {
	const place = byId("site") ?? document.querySelector("main").insertAdjacentElement("beforebegin", h("div", { id: "site", class: "notice", role: "status" }));
	place.setAttribute("aria-live", ["site.loading", "site.preparing"].includes(key) ? "off" : "polite");
	place.dataset.kept = "";
	place.hidden = over;
	place.textContent = t(key, values);
}

// --- what keeps it ---

/** Takes a new version that was downloaded while the page was open last time. This comes before any request of the worker:
 * the old version ends only when it is idle. */
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
	if (!service.controller) await reading; // then nothing comes twice
	try {
		const registration = await service.register("sw.js", { updateViaCache: "none" });
		tell = () => service.controller && registration.waiting && say("site.new");
		const watch = () => registration.installing?.addEventListener("statechange", tell);
		tell();
		watch(); // one may have been found before anybody listened
		registration.addEventListener("updatefound", watch);
	} catch {
		// it works all the same, as long as there is a network
	}
}

const begun = takeNew()
	.catch(() => {})
	.then(start);

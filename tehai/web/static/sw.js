// Keeps the page's own files: the network first, what was kept where it fails. What api/ answers is never kept.

const KEPT = "tehai";
const faces = (suits, ranks) => [...suits].flatMap((suit) => [...ranks].map((rank) => rank + suit));
const FILES = [
	"./", "style.css", "check.css", "table.css", "book.css", "tablet.css", "learn.css", "icon.svg", "icons.svg", "icon-192.png", "icon-512.png", "icon-maskable.png", "apple-touch-icon.png", "manifest.webmanifest",
	...["en", "ja"].flatMap((code) => [`lang/${code}.json`, `lang/questions.${code}.json`]),
	...["acts", "advice", "answer", "apart", "api", "app", "backup", "book", "booked", "booking", "camera", "chart", "check", "claim", "days", "doubts", "hand", "games", "happen", "history", "home", "home_screen", "learn", "learn_keys", "learn_shown", "lesson", "noted", "outcome", "payments", "past", "photo", "picture", "score", "seats", "settings", "setup", "shape", "share", "shared_game", "sheet", "state", "statistics", "store", "tablet", "take", "transport", "wake"].map((name) => `${name}.js`),
	...["dom", "events", "labels", "text", "tiles"].map((name) => `shared/${name}.js`),
	...[...faces("mps", "0123456789"), ...faces("z", "1234567"), "back"].map((label) => `tiles/${label}.svg`),
];

addEventListener("install", (event) => {
	event.waitUntil(caches.open(KEPT).then((cache) => cache.addAll(FILES)).then(() => skipWaiting()));
});

addEventListener("activate", (event) => event.waitUntil(clients.claim()));

addEventListener("fetch", (event) => {
	const { request } = event;
	const { origin, pathname, search } = new URL(request.url);
	if (request.method !== "GET" || origin !== location.origin || search || pathname.includes("/api/")) return;
	event.respondWith(fresh(request));
});

async function fresh(request) {
	const cache = await caches.open(KEPT);
	try {
		const answer = await fetch(request);
		if (answer.ok) await cache.put(request, answer.clone());
		return answer;
	} catch {
		return (await cache.match(request)) ?? Response.error();
	}
}

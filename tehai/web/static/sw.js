// Stores the page's own files: the network first, the stored copy if it fails. Answers of api/ are never stored.

const KEPT = "tehai";
const faces = (suits, ranks) => [...suits].flatMap((suit) => [...ranks].map((rank) => rank + suit));
const FILES = [
	"./",
	"style.css",
	"check/check.css",
	"home/table.css",
	"book/book.css",
	"home/tablet.css",
	"home/table_camera.css",
	"learn/learn.css",
	"icon.svg",
	"icons.svg",
	"icon-192.png",
	"icon-512.png",
	"icon-maskable.png",
	"apple-touch-icon.png",
	"manifest.webmanifest",
	...["en", "ja"].flatMap((code) => [`lang/${code}.json`, `lang/questions.${code}.json`, `lang/watch.${code}.json`]),
	"app.js",
	"transport.js",
	...[
		"actions",
		"api",
		"days",
		"hand",
		"outcome",
		"photo",
		"rivers",
		"settings",
		"shape",
		"state",
		"store",
		"table",
		"wake_lock",
	].map((name) => `app/${name}.js`),
	...["backup", "book", "booked", "booking", "chart", "past_games", "sheet", "statistics"].map(
		(name) => `book/${name}.js`,
	),
	...[
		"advice",
		"answer",
		"buttons",
		"check",
		"corrections",
		"doubt_cards",
		"doubts",
		"drag",
		"groups",
		"keys",
		"photo_drawing",
		"photo_view",
		"rivers",
		"selection",
		"sets",
		"sheet",
		"table",
	].map((name) => `check/${name}.js`),
	...["claim", "diverged", "games", "payments", "pending", "seats", "shared_game"].map((name) => `games/${name}.js`),
	...["events", "home", "home_screen", "riichi_watch", "setup", "table_camera", "tablet"].map(
		(name) => `home/${name}.js`,
	),
	...["answer_keys", "elements", "learn", "progress"].map((name) => `learn/${name}.js`),
	...["history", "lesson", "picture", "score", "share"].map((name) => `score/${name}.js`),
	...["camera", "permission", "take"].map((name) => `take/${name}.js`),
	...["dom", "events", "labels", "text", "tiles"].map((name) => `shared/${name}.js`),
	...[...faces("mps", "0123456789"), ...faces("z", "1234567"), "back"].map((label) => `tiles/${label}.svg`),
];

addEventListener("install", (event) => {
	event.waitUntil(
		caches
			.open(KEPT)
			.then((cache) => cache.addAll(FILES))
			.then(() => skipWaiting()),
	);
});

addEventListener("activate", (event) => event.waitUntil(clients.claim()));

addEventListener("fetch", (event) => {
	const { request } = event;
	const { origin, pathname, search } = new URL(request.url);
	if (request.method !== "GET" || origin !== location.origin || search || pathname.includes("/api/")) return;
	event.respondWith(fresh(request));
});

async function fresh(request) {
	const cache = await caches.open(KEPT).catch(() => null); // the device may have no room
	try {
		const answer = await fetch(request);
		if (answer.ok) await cache?.put(request, answer.clone()).catch(() => {});
		return answer;
	} catch {
		return (await cache?.match(request)) ?? Response.error();
	}
}

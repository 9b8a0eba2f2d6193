// Keeps the screen on while there is a reason. The browser releases the lock when the page is hidden.
const reasons = new Set();
let lock = null;
let turn = Promise.resolve();

/** Adds or removes a reason. */
export function awake(reason, on) {
	reasons[on ? "add" : "delete"](reason);
	update();
}

function update() {
	const act = async () => {
		const on = reasons.size > 0 && !document.hidden;
		if (on === Boolean(lock && !lock.released)) return;
		if (on) lock = await navigator.wakeLock.request("screen");
		else await lock.release();
	};
	turn = turn.then(act).catch(() => {}); // one after another
}

document.addEventListener("visibilitychange", update);

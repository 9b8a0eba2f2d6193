// The camera: sends frames to the server, and takes the photo when most recent frames show the same complete hand in
// place.
import * as api from "../app/api.js";
import { EMPTY, count, fromRecord, scored } from "../app/hand.js";
import { frame, outline, toBlob } from "../app/photo.js";

const LONGEST = 960; // pixels of a sent frame, enough to read tiles that fill the guide
const STEADY = 3; // equal frames before the photo is taken ...
const RECENT = 5; // ... among the last ones, so that a single misread frame does not matter
const MOST_MOVED = 0.02; // share of the picture's width that the hand may move between equal frames
const PAUSE = 120; // milliseconds between an answer and the next frame

const middle = (tiles, axis) =>
	tiles.reduce((sum, one) => sum + one.quad.reduce((all, corner) => all + corner[axis], 0) / 4, 0) / tiles.length;

/** The live view. Calls `seen({n, of, advice, steady, waits})` for each answer (`steady` from 0 to 1; `waits` of 13
 * steady tiles), `lost(error)` for a failure, `shot(blob, won)` for the photo and its winning tile. */
export class Live {
	constructor(video, overlay, { seen, lost, shot }) {
		Object.assign(this, {
			video,
			overlay,
			seen,
			lost,
			shot,
			automatic: true,
			stream: null,
			alike: 0,
			past: [],
			waits: [],
		});
	}

	async start() {
		const wanted = { facingMode: "environment", width: { ideal: 1920 }, height: { ideal: 1080 } };
		this.wanted = true;
		this.past = this.waits = [];
		const stream = await navigator.mediaDevices.getUserMedia({ video: wanted, audio: false });
		if (this.wanted) {
			this.stream = this.video.srcObject = stream;
			await this.video.play().catch((error) => {
				if (this.stream === stream) throw error; // not when it was stopped meanwhile
			});
		}
		if (this.stream !== stream) return stream.getTracks().forEach((track) => track.stop()); // stopped meanwhile
		this.track = stream.getVideoTracks()[0];
		this.loop(stream);
	}

	stop() {
		this.wanted = false;
		this.stream?.getTracks().forEach((track) => track.stop());
		this.stream = null;
		this.video.srcObject = null;
		this.overlay.getContext("2d").clearRect(0, 0, this.overlay.width, this.overlay.height);
	}

	get running() {
		return Boolean(this.stream);
	}

	get hasTorch() {
		return Boolean(this.track?.getCapabilities?.().torch);
	}

	torch(on) {
		return this.track.applyConstraints({ advanced: [{ torch: on }] });
	}

	/** Takes the photo, at the camera's full size. */
	async release(won) {
		const blob = await toBlob(frame(this.video), 0.92);
		this.stop();
		this.shot(blob, won);
	}

	async loop(stream) {
		while (this.stream === stream) {
			try {
				const picture = frame(this.video, LONGEST);
				const found = await api.find(await toBlob(picture, 0.8));
				if (this.stream !== stream) return;
				const { n, of } = count(found.hand ? fromRecord(found.hand) : EMPTY);
				const advice = found.advice[0]?.id ?? null;
				this.#draw(found);
				const whole = n === of;
				this.#weigh(found, (whole || found.waits.length) && !advice);
				const steady = this.alike >= STEADY;
				if (steady) this.waits = found.waits;
				this.seen({ n, of, advice, steady: whole ? this.alike / STEADY : 0, waits: this.waits });
				if (this.automatic && whole && steady) return this.release();
			} catch (error) {
				if (this.stream !== stream) return;
				this.past = [];
				this.lost(error);
				await new Promise((resolve) => setTimeout(resolve, 1000));
			}
			await new Promise((resolve) => setTimeout(resolve, PAUSE));
		}
	}

	/** Counts the last frames that show the same hand in the same place. */
	#weigh(found, good) {
		const mine = found.tiles.filter((one) => !["other", "dora", "ura"].includes(one.role));
		const now = good ? { hand: scored(found.hand), x: middle(mine, 0), y: middle(mine, 1) } : {};
		const alike = ({ hand, x, y }) => hand === now.hand && Math.hypot(x - now.x, y - now.y) < MOST_MOVED * found.width;
		this.past = [...this.past, now].slice(-RECENT);
		this.alike = this.past.filter(alike).length;
	}

	#draw(found) {
		const { overlay } = this;
		overlay.width = found.width;
		overlay.height = found.height;
		const context = overlay.getContext("2d");
		const ink = getComputedStyle(overlay);
		const colour = (role) => ink.getPropertyValue(`--role-${role.split(":")[0]}`).trim() || "#fff";
		const doubts = found.doubts.filter((one) => one.kind !== "hand").flatMap((one) => one.tiles);
		const lines = found.tiles
			.map((one, at) => ({ ...one, dashed: doubts.includes(at) && one.label !== "back" }))
			.filter((one) => one.dashed || one.role !== "other");
		outline(
			context,
			lines.map((one) => ({ ...one, colour: colour(one.dashed ? "doubt" : one.role) })),
			1,
			found.width / 480,
		);
	}
}

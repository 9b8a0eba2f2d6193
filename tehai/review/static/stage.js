// The photo with its quads: zoom, pan, and editing by mouse, pen or two fingers. Coordinates are pixels of the photo.
// The SVG's viewBox is the visible part.
import { bent, centre, moved, rectangle, sizeOf } from "./geometry.js";

const MOST = 24; // most screen pixels per photo pixel
const STEP = 1.25; // zoom factor of a key press or wheel notch
const MARGIN = 14; // screen pixels around the whole photo
const STARTS = 4; // screen pixels after which a press becomes a drag
const LEGIBLE = 15; // least tile size in screen pixels to show a label
const CLOSE = 170; // tile size in screen pixels after a jump to it

const SVG = "http://www.w3.org/2000/svg";

export function s(name, attributes = {}, ...children) {
	const element = document.createElementNS(SVG, name);
	for (const [key, value] of Object.entries(attributes)) if (value !== null) element.setAttribute(key, value);
	element.append(...children);
	return element;
}

export class Stage {
	/** `on`: `pick(at)`; `moved(quad)` while dragging, `placed(quad)` at its end; `drawn(quad)` for a new quad;
	 * `form(point)`: the quad for a click there. */
	constructor(svg, on) {
		this.svg = svg;
		this.on = on;
		this.tiles = [];
		this.picked = new Set();
		this.at = -1;
		this.corner = -1;
		this.adding = false;
		this.hidden = false;
		this.pointers = new Map();
		this.act = null; // the action of the pressed pointer
		this.image = s("image", { preserveAspectRatio: "none" });
		this.marks = s("g", { class: "marks" });
		svg.append(this.image, this.marks);
		new ResizeObserver(() => this.#resized()).observe(svg);
		svg.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
		svg.addEventListener("pointerdown", (event) => this.#down(event));
		svg.addEventListener("pointermove", (event) => this.#move(event));
		for (const end of ["pointerup", "pointercancel"]) svg.addEventListener(end, (event) => this.#up(event));
		svg.addEventListener("dblclick", (event) => this.#twice(event));
	}

	/** Opens a photo, shown as a whole. */
	open({ width, height }, address) {
		Object.assign(this, { width, height, act: null, adding: false, corner: -1 });
		this.pointers.clear();
		for (const [key, value] of Object.entries({ href: address, width, height })) this.image.setAttribute(key, value);
		this.fit();
	}

	/** `picked`: indices of tiles that are about to be deleted together. */
	show(tiles, at, corner = this.corner, picked = []) {
		Object.assign(this, { tiles, at, corner, picked: new Set(picked) });
		this.#draw();
	}

	hide(hidden) {
		this.hidden = hidden;
		this.#draw();
	}

	/** Whether the next press draws a tile. A preview shows where a click or Enter would put it, at first in the
	 * middle. */
	add(adding) {
		this.adding = adding;
		this.spot = adding ? this.middle() : null;
		this.svg.classList.toggle("adding", adding);
		this.#draw();
	}

	/** Moves the preview by screen pixels. */
	moveSpot(dx, dy) {
		const within = (value, most) => Math.min(Math.max(value, 0), most);
		this.spot = [within(this.spot[0] + dx / this.zoom, this.width), within(this.spot[1] + dy / this.zoom, this.height)];
		this.#draw();
	}

	#box() {
		return { width: this.svg.clientWidth || 1, height: this.svg.clientHeight || 1 };
	}

	get #least() {
		const { width, height } = this.#box();
		return Math.max(0.01, Math.min((width - 2 * MARGIN) / this.width, (height - 2 * MARGIN) / this.height));
	}

	fit() {
		this.whole = true;
		this.#look(this.width / 2, this.height / 2, this.#least);
	}

	/** Zooms about a point of the photo, by default the middle of the view. */
	zoomBy(factor, point = this.middle()) {
		const zoom = Math.min(Math.max(this.zoom * factor, this.#least), MOST);
		const [x, y] = this.middle();
		const still = this.zoom / zoom;
		this.whole = zoom === this.#least;
		this.#look(point[0] + (x - point[0]) * still, point[1] + (y - point[1]) * still, zoom);
	}

	in = () => this.zoomBy(STEP);
	out = () => this.zoomBy(1 / STEP);

	/** Shows the tile large and in the middle. */
	goTo(quad) {
		this.whole = false;
		this.#look(...centre(quad), Math.min(MOST, Math.max(CLOSE / sizeOf(quad), this.#least)));
	}

	/** Moves the view if the quad is outside. */
	reveal(quad) {
		const { width, height } = this.#box();
		const [x, y] = centre(quad);
		const [left, top] = [(x - this.x) * this.zoom, (y - this.y) * this.zoom];
		if (left < 0 || top < 0 || left > width || top > height) this.#look(x, y, this.zoom);
	}

	middle() {
		const { width, height } = this.#box();
		return [this.x + width / this.zoom / 2, this.y + height / this.zoom / 2];
	}

	#look(middleX, middleY, zoom) {
		const { width, height } = this.#box();
		const [wide, high] = [width / zoom, height / zoom];
		// The middle of the view stays on the photo. A photo that fits is centred.
		const along = (middle, size, part) => (part >= size ? size / 2 : Math.min(Math.max(middle, 0), size));
		this.zoom = zoom;
		this.x = along(middleX, this.width, wide) - wide / 2;
		this.y = along(middleY, this.height, high) - high / 2;
		this.svg.setAttribute("viewBox", `${this.x} ${this.y} ${wide} ${high}`);
		this.#draw();
	}

	#resized() {
		if (!this.width) return;
		if (this.whole) this.fit();
		else this.#look(...this.middle(), this.zoom);
	}

	#draw() {
		cancelAnimationFrame(this.frame);
		this.frame = requestAnimationFrame(() => this.marks.replaceChildren(...(this.hidden ? [] : this.#marks())));
	}

	#marks() {
		const order = this.tiles.map((_, at) => at).filter((at) => at !== this.at);
		const chosen = this.tiles[this.at];
		const drawn = order.map((at) => this.#tile(this.tiles[at], at));
		if (chosen)
			drawn.push(this.#tile(chosen, this.at), ...chosen.quad.map((point, corner) => this.#handle(point, corner)));
		const draft = this.act ? this.act.draft : this.adding && this.on.form(this.spot);
		if (draft)
			drawn.push(
				s("path", { class: "under", d: outline(draft) }),
				s("path", { class: "quad draft", d: outline(draft) }),
			);
		return drawn;
	}

	#tile(tile, at) {
		const chosen = at === this.at;
		const kind = tile.doubt ? "doubt" : tile.source === "person" ? "person" : "sure";
		const side = sizeOf(tile.quad) * this.zoom;
		const size = Math.min(Math.max(side * 0.3, 8), 15) / this.zoom;
		const top = tile.quad.reduce((high, point) => (point[1] < high[1] ? point : high));
		const [x, y] = [centre(tile.quad)[0], top[1] + size * (side < 40 ? 0.1 : 0.35)];
		const d = outline(tile.quad);
		return s(
			"g",
			{ class: `tile-mark ${kind}${chosen ? " chosen" : ""}${this.picked.has(at) ? " picked" : ""}`, "data-at": at },
			s("path", { class: "under", d }),
			s("path", { class: "quad", d }),
			// the face's top edge shows its orientation
			s("path", { class: "top-edge", d: outline(tile.quad.slice(0, 2), false) }),
			...(side < LEGIBLE && !chosen
				? []
				: [s("text", { x, y, "font-size": size, "stroke-width": size / 4 }, tile.label === "back" ? "▦" : tile.label)]),
		);
	}

	/** A corner handle, small on small tiles so that they stay visible. */
	#handle([x, y], corner) {
		const side = sizeOf(this.tiles[this.at].quad) * this.zoom;
		return s("circle", {
			class: `handle${corner === this.corner ? " chosen" : ""}`,
			cx: x,
			cy: y,
			r: (Math.min(6, Math.max(3, side * 0.16)) + (corner === this.corner ? 3 : 0)) / this.zoom,
			"data-corner": corner,
		});
	}

	#at({ clientX, clientY }) {
		const { left, top } = this.svg.getBoundingClientRect();
		return [this.x + (clientX - left) / this.zoom, this.y + (clientY - top) / this.zoom];
	}

	#wheel(event) {
		event.preventDefault();
		const lines = event.deltaMode === 1 ? 16 : 1;
		this.zoomBy(Math.exp(-event.deltaY * lines * 0.0018), this.#at(event));
	}

	#down(event) {
		if (!this.width || event.button === 2) return;
		event.preventDefault(); // prevents text selection and image dragging
		this.svg.parentElement.focus({ preventScroll: true });
		this.svg.setPointerCapture(event.pointerId);
		this.pointers.set(event.pointerId, event);
		if (this.pointers.size > 1) {
			this.act = { kind: "pinch" };
			return;
		}
		this.act = { ...this.#meant(event), from: this.#at(event), pressed: event, started: false };
		this.svg.classList.toggle("panning", this.act.kind === "pan");
	}

	/** The action that a press starts: moves the selected tile or a corner, otherwise the photo. */
	#meant(event) {
		if (this.panning || event.button === 1) return { kind: "pan" };
		if (this.adding) return { kind: "draw" };
		const { corner } = event.target.dataset;
		if (corner !== undefined) return { kind: "bend", corner: Number(corner), quad: this.tiles[this.at].quad };
		const at = markAt(event.target);
		if (at >= 0 && at === this.at) return { kind: "move", quad: this.tiles[at].quad };
		return { kind: "pan", at };
	}

	#move(event) {
		const before = this.pointers.get(event.pointerId);
		if (!before && this.adding) {
			this.spot = this.#at(event);
			this.#draw();
		}
		if (!before || !this.act) return;
		if (this.act.kind === "pinch") this.#pinch(event, before);
		this.pointers.set(event.pointerId, event);
		if (this.act.kind === "pinch") return;
		const { pressed, from } = this.act;
		if (!this.act.started && Math.hypot(event.clientX - pressed.clientX, event.clientY - pressed.clientY) < STARTS)
			return;
		this.act.started = true;
		const point = this.#at(event);
		const [dx, dy] = [point[0] - from[0], point[1] - from[1]];
		const acts = {
			pan: () => {
				const [x, y] = this.middle();
				this.whole = false;
				this.#look(x - dx, y - dy, this.zoom);
			},
			move: () => this.on.moved((this.act.to = moved(this.act.quad, dx, dy))),
			bend: () => this.on.moved((this.act.to = bent(this.act.quad, this.act.corner, dx, dy))),
			draw: () => {
				this.act.draft = rectangle(from, point);
				this.#draw();
			},
		};
		acts[this.act.kind]();
	}

	#pinch(event, before) {
		const other = [...this.pointers.values()].find((one) => one.pointerId !== event.pointerId);
		const far = (one) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
		const between = { clientX: (event.clientX + other.clientX) / 2, clientY: (event.clientY + other.clientY) / 2 };
		const [x, y] = this.middle();
		this.#look(
			x - (event.clientX - before.clientX) / 2 / this.zoom,
			y - (event.clientY - before.clientY) / 2 / this.zoom,
			this.zoom,
		);
		this.zoomBy(far(event) / Math.max(far(before), 1), this.#at(between));
	}

	#up(event) {
		if (!this.pointers.delete(event.pointerId) || !this.act) return;
		const { kind, at, started, to, draft, from } = this.act;
		if (kind === "pinch" && this.pointers.size) return;
		this.act = null;
		this.svg.classList.remove("panning");
		if (event.type === "pointercancel") this.on.moved(null);
		else if (kind === "pan" && !started && at >= 0) this.on.pick(at);
		else if (kind === "draw") this.on.drawn(started ? draft : this.on.form(from));
		else if (to) this.on.placed(to);
		this.#draw();
	}

	#twice(event) {
		// The pointer was captured: the event's target is the whole photo.
		const at = markAt(document.elementFromPoint(event.clientX, event.clientY));
		if (at >= 0 && !this.adding) this.goTo(this.tiles[at].quad);
	}
}

export function outline(points, closed = true) {
	return `M${points.map((point) => point.join(" ")).join("L")}${closed ? "Z" : ""}`;
}

const markAt = (element) => Number(element?.closest("[data-at]")?.dataset.at ?? -1);

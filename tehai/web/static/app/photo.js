// Photos of the hand: scaling, and outlines drawn on them.
import { h } from "../shared/dom.js";

const LONGEST = 2000; // pixels of the shown copy, enough for sharp crops of 14 tiles in a row
const LARGEST = 18e6; // bytes of one upload, below the server's limit

async function decode(blob) {
	const image = new Image();
	const address = URL.createObjectURL(blob);
	try {
		image.src = address;
		await image.decode();
		return image;
	} finally {
		URL.revokeObjectURL(address);
	}
}

/** A picture scaled to at most `longest` pixels, on a canvas. */
export function scaled(source, width, height, longest) {
	const scale = Math.min(1, longest / Math.max(width, height));
	const canvas = h("canvas", { width: Math.round(width * scale), height: Math.round(height * scale) });
	canvas.getContext("2d").drawImage(source, 0, 0, canvas.width, canvas.height);
	return canvas;
}

export const toBlob = (canvas, quality = 0.9) =>
	new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", quality));

/** A frame of the camera, at most `longest` pixels. */
export const frame = (video, longest = Infinity) => scaled(video, video.videoWidth, video.videoHeight, longest);

/** A photo to show: `{picture, scale}`, `scale` from the pixels of the upright photo. Null if the browser cannot show
 * the format; the server may still read it. */
export async function open(blob) {
	try {
		const image = await decode(blob);
		const picture = scaled(image, image.naturalWidth, image.naturalHeight, LONGEST);
		return { picture, scale: picture.width / image.naturalWidth };
	} catch {
		return null;
	}
}

/** Photos that fit into one upload. Only larger ones are scaled. */
export async function fitting(blobs) {
	const share = LARGEST / blobs.length;
	return Promise.all(
		blobs.map(async (blob) => {
			if (blob.size <= share) return blob;
			const image = await decode(blob).catch(() => null);
			return image ? toBlob(scaled(image, image.naturalWidth, image.naturalHeight, 4000), 0.85) : blob;
		}),
	);
}

/** Draws the outlines of quads. `unit`: one pixel of the canvas. Doubtful tiles are dashed, not only coloured. */
export function outline(context, outlines, scale, unit) {
	for (const { quad, colour, width = 3, dashed = false } of outlines) {
		const line = new Path2D();
		quad.forEach(([x, y], at) => (at ? line.lineTo(x * scale, y * scale) : line.moveTo(x * scale, y * scale)));
		line.closePath();
		context.lineJoin = "round";
		for (const [ink, extra] of [
			["rgba(0,0,0,.55)", 3],
			[colour, 0],
		]) {
			context.strokeStyle = ink;
			context.lineWidth = (width + extra) * unit;
			context.setLineDash(dashed ? [9 * unit, 6 * unit] : []);
			context.stroke(line);
		}
	}
}

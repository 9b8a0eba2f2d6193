// Photos are decoded by the browser, which also knows formats that only its system can read, and are handed over as
// pixels: a binary PPM each, whose comment says how large the whole photo is.

const MOST = 6_500_000; // pixels of one photo, as many as Python's own decoder leaves of a larger one
const IN_ALL = 20_000_000; // and of all shots of one hand

const utf8 = (text) => new TextEncoder().encode(text);

/** The photo upright, halved until it is small enough; what no browser can decode goes on as it is, to be refused. */
async function pixels(blob, most) {
	const picture = await createImageBitmap(blob, { imageOrientation: "from-image" }).catch(() => null);
	if (!picture) return new Uint8Array(await blob.slice(0, 64).arrayBuffer());
	const { width, height } = picture;
	let halved = 1;
	while (width * height > most * halved ** 2) halved *= 2;
	const canvas = new OffscreenCanvas(Math.ceil(width / halved), Math.ceil(height / halved));
	const context = canvas.getContext("2d", { willReadFrequently: true });
	context.fillStyle = "#808080"; // under what is transparent, as where Python decodes
	context.fillRect(0, 0, canvas.width, canvas.height);
	context.imageSmoothingQuality = "high";
	context.drawImage(picture, 0, 0, canvas.width, canvas.height);
	picture.close();
	const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
	const head = utf8(`P6\n# of ${width} ${height}\n${canvas.width} ${canvas.height}\n255\n`);
	const ppm = new Uint8Array(head.length + (data.length / 4) * 3);
	ppm.set(head);
	for (let from = 0, to = head.length; from < data.length; from += 4, to += 3) {
		ppm[to] = data[from];
		ppm[to + 1] = data[from + 1];
		ppm[to + 2] = data[from + 2];
	}
	canvas.width = canvas.height = 0; // its memory is given back now and not when somebody looks for garbage
	return ppm;
}

/** A form as the body of a request, `{type, body}`. Written by hand: WebKit cannot read a photo back out of its own. */
export async function multipart(entries) {
	const photos = entries.filter(([, value]) => value instanceof Blob).length;
	const boundary = `tehai-${crypto.randomUUID()}`;
	const parts = [];
	for (const [name, value] of entries) {
		const isPhoto = value instanceof Blob;
		const more = isPhoto ? `; filename="photo.ppm"\r\nContent-Type: image/x-portable-pixmap` : "";
		parts.push(utf8(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`));
		parts.push(isPhoto ? await pixels(value, Math.min(MOST, IN_ALL / photos)) : utf8(value), utf8("\r\n"));
	}
	parts.push(utf8(`--${boundary}--\r\n`));
	const body = new Uint8Array(parts.reduce((all, part) => all + part.length, 0));
	let at = 0;
	for (const part of parts) {
		body.set(part, at);
		at += part.length;
	}
	return { type: `multipart/form-data; boundary=${boundary}`, body };
}

// Photos are decoded by the browser, which also knows formats that only its system can read, and are handed over as
// pixels: a binary PPM each, whose comment says how large the whole photo is.

const MOST = 6_500_000; // pixels of one photo, as many as Python's own decoder leaves of a larger one
const IN_ALL = 20_000_000; // and of all shots of one hand

const HEAD = 1 << 20; // bytes of a JPEG before which its size is told

const utf8 = (text) => new TextEncoder().encode(text);

/** By what a photo of these sides is to be divided. */
function shrunk(width, height, most) {
	let halved = 1;
	while (width * height > most * halved ** 2) halved *= 2;
	return halved;
}

/** Width and height of a JPEG as it is stored (ITU-T T.81, B.2.2); zeros for anything else. */
async function stored(blob) {
	const bytes = new DataView(await blob.slice(0, HEAD).arrayBuffer());
	const isJpeg = bytes.byteLength > 4 && bytes.getUint16(0) === 0xffd8;
	for (let at = 2; isJpeg && at + 9 <= bytes.byteLength; at += 2 + bytes.getUint16(at + 2)) {
		const marker = bytes.getUint16(at);
		const isFrame = marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker);
		if (isFrame) return { width: bytes.getUint16(at + 7), height: bytes.getUint16(at + 5) };
	}
	return { width: 0, height: 0 };
}

/** Decodes a large JPEG at the wanted size: all 48 megapixels would take 190 MB. Null for other photos, and for a browser
 * that cannot do this or does not tell the orientation. */
async function reduced(blob, most) {
	const { width, height } = await stored(blob);
	const halved = shrunk(width, height, most);
	if (halved === 1 || !globalThis.ImageDecoder || !("rotation" in VideoFrame.prototype)) return null;
	const wanted = { desiredWidth: Math.ceil(width / halved), desiredHeight: Math.ceil(height / halved) };
	const decoder = new ImageDecoder({ data: blob.stream(), type: "image/jpeg", ...wanted });
	try {
		const { image } = await decoder.decode();
		return image.rotation % 180 ? { picture: image, width: height, height: width } : { picture: image, width, height };
	} finally {
		decoder.close();
	}
}

/** A photo as the browser decodes it, upright, with the sides of the whole. */
async function decoded(blob, most) {
	const small = await reduced(blob, most).catch(() => null);
	if (small) return small;
	const picture = await createImageBitmap(blob, { imageOrientation: "from-image" });
	return { picture, width: picture.width, height: picture.height };
}

/** The photo upright, halved until it is small enough; what no browser can decode goes on as it is, to be refused. */
async function pixels(blob, most) {
	const found = await decoded(blob, most).catch(() => null);
	if (!found) return new Uint8Array(await blob.slice(0, 64).arrayBuffer());
	const { picture, width, height } = found;
	const halved = shrunk(width, height, most);
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

// Decodes photos in the browser, which also supports formats of its system. Python gets pixels: a binary PPM, whose
// comment has the size of the whole photo.

const MOST = 6_500_000; // pixels of one photo; Python's own decoder leaves as many
const IN_ALL = 20_000_000; // pixels of all photos of one hand

const HEADER = 1 << 20; // bytes of a JPEG that contain its size

const utf8 = (text) => new TextEncoder().encode(text);

/** The divisor for a photo of this size. */
function divisorFor(width, height, most) {
	let halved = 1;
	while (width * height > most * halved ** 2) halved *= 2;
	return halved;
}

/** Width and height of a JPEG as stored (ITU-T T.81, B.2.2); zeros for anything else. */
async function storedSize(blob) {
	const bytes = new DataView(await blob.slice(0, HEADER).arrayBuffer());
	const isJpeg = bytes.byteLength > 4 && bytes.getUint16(0) === 0xffd8;
	for (let at = 2; isJpeg && at + 9 <= bytes.byteLength; at += 2 + bytes.getUint16(at + 2)) {
		const marker = bytes.getUint16(at);
		const isFrame = marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker);
		if (isFrame) return { width: bytes.getUint16(at + 7), height: bytes.getUint16(at + 5) };
	}
	return { width: 0, height: 0 };
}

/** Decodes a large JPEG at the wanted size: 48 megapixels would take 190 MB. Null for other photos, and if the browser
 * cannot do it or hides the orientation. */
async function reduced(blob, most) {
	const { width, height } = await storedSize(blob);
	const halved = divisorFor(width, height, most);
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

/** The decoded photo, upright, with the sides of the original. */
async function decoded(blob, most) {
	const small = await reduced(blob, most).catch(() => null);
	if (small) return small;
	const picture = await createImageBitmap(blob, { imageOrientation: "from-image" });
	return { picture, width: picture.width, height: picture.height };
}

/** The upright photo, halved until small enough. An undecodable file is passed on, for the server to refuse. */
async function pixels(blob, most) {
	const found = await decoded(blob, most).catch(() => null);
	if (!found) return new Uint8Array(await blob.slice(0, 64).arrayBuffer());
	const { picture, width, height } = found;
	const halved = divisorFor(width, height, most);
	const canvas = new OffscreenCanvas(Math.ceil(width / halved), Math.ceil(height / halved));
	const context = canvas.getContext("2d", { willReadFrequently: true });
	context.fillStyle = "#808080"; // behind transparent pixels, as in Python's decoder
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
	canvas.width = canvas.height = 0; // frees the memory now, not at the next garbage collection
	return ppm;
}

/** A form as a request body, `{type, body}`. Built by hand: WebKit cannot read a photo from its own. */
export async function multipart(entries) {
	const photos = entries.filter(([, value]) => value instanceof Blob).length;
	const boundary = `tehai-${crypto.getRandomValues(new Uint32Array(4)).join("-")}`;
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

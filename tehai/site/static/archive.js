// Reads a tar (POSIX.1-1988, ustar) as [name, bytes] of files and [name/, null] of folders.

const BLOCK = 512;

export function* entries(tar) {
	const text = (at, length) => new TextDecoder().decode(tar.subarray(at, at + length)).replace(/\0.*$/s, "");
	for (let at = 0; at + BLOCK <= tar.length && tar[at];) {
		const name = [text(at + 345, 155), text(at, 100)].filter(Boolean).join("/");
		const size = Number.parseInt(text(at + 124, 12), 8);
		const isFolder = text(at + 156, 1) === "5";
		yield [
			isFolder ? `${name.replace(/\/$/, "")}/` : name,
			isFolder ? null : tar.subarray(at + BLOCK, at + BLOCK + size),
		];
		at += BLOCK * (1 + Math.ceil(size / BLOCK));
	}
}

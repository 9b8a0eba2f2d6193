// Tile labels such as "5m": rank and suit. Rank 0 is a red five.

export const FACES = [..."mps"]
	.flatMap((suit) => [..."1234506789"].map((rank) => rank + suit))
	.concat([..."1234567"].map((rank) => rank + "z"));

export const isRed = (label) => label[0] === "0";
export const plain = (label) => (isRed(label) ? "5" + label[1] : label);
export const canBeRed = (label) => /^[05][mps]$/.test(label);

/** `"055p7z"` to labels. */
export function split(text) {
	return [...text.matchAll(/([0-9]+)([mpsz])/g)].flatMap(([, ranks, suit]) => [...ranks].map((rank) => rank + suit));
}

/** Labels to `"055p7z"`, in their order. */
export function join(labels) {
	return labels.map((label, at) => (labels[at + 1]?.[1] === label[1] ? label[0] : label)).join("");
}

// Events between modules that do not import each other.

export function events() {
	const target = new EventTarget();
	return {
		listen: (name, act) => target.addEventListener(name, ({ detail }) => act(detail)),
		raise: (name, detail = null) => target.dispatchEvent(new CustomEvent(name, { detail })),
	};
}

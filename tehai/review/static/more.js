// The button below a list that loads the rest of it, a page at a time.
import { button, byId, fill } from "./shared/dom.js";
import { t } from "./shared/text.js";
import { run } from "./actions.js";

/** Fills the place `id`. `left`: how many are not loaded; `page`: how many `load` brings; `render` shows them. */
export function offerMore(id, left, page, load, render) {
	const onclick = () =>
		run(async () => {
			await load();
			render();
		});
	fill(byId(id), left > 0 && button({ class: "secondary", onclick }, t("queue.more", { n: Math.min(left, page) })));
}

// Settings: the rule set, chosen once and remembered; language; light or dark; and what works without the server.
import { refresh, show } from "./app.js";
import * as api from "./api.js";
import { fill, h } from "./dom.js";
import { choose, settings } from "./store.js";
import { LANGUAGES, spoken, t } from "./text.js";

const byId = (id) => document.getElementById(id);
const THEMES = ["auto", "light", "dark"];

let known = []; // rule sets, as the server last listed them

export function useTheme() {
  document.documentElement.dataset.theme = settings.theme;
}

/** Fills the choice of rules; without a server it holds what was chosen before. */
export async function showRules() {
  try {
    known = await api.rules();
  } catch {
    known = known.length ? known : [{ id: settings.rules ?? "ema2008", title: settings.rules ?? "EMA 2008" }];
  }
  const chosen = known.some((one) => one.id === settings.rules) ? settings.rules : (known.find((one) => one.default) ?? known[0]).id;
  settings.rules = chosen;
  for (const select of document.querySelectorAll(".rules-choice")) {
    fill(select, known.map((one) => h("option", { value: one.id, selected: one.id === chosen }, one.title)));
    select.value = chosen;
    select.onchange = () => {
      choose({ rules: select.value });
      refresh();
    };
  }
}

export async function openSettings() {
  fill(byId("language"), options("lang", Object.entries(LANGUAGES), spoken(), (lang) => choose({ lang })));
  fill(byId("theme"), options("theme", THEMES.map((one) => [one, t(`theme.${one}`)]), settings.theme, (theme) => choose({ theme })));
  byId("offline").textContent = t(await offline());
  byId("settings").showModal();
}

function options(name, list, chosen, keep) {
  return list.map(([value, text]) =>
    h(
      "label",
      { class: "option" },
      h("input", {
        type: "radio",
        name,
        value,
        checked: value === chosen,
        onchange: async () => {
          keep(value);
          useTheme();
          await refresh();
          show();
          openTexts();
        },
      }),
      h("span", {}, text),
    ),
  );
}

/** The dialog's own words in the language just chosen. */
async function openTexts() {
  for (const [value, text] of THEMES.map((one) => [one, t(`theme.${one}`)])) {
    const input = byId("theme").querySelector(`[value="${value}"]`);
    input.nextElementSibling.textContent = text;
  }
  byId("offline").textContent = t(await offline());
}

/** Whether the page loads without the server, and why not. */
async function offline() {
  if (!isSecureContext) return "offline.insecure";
  const worker = await navigator.serviceWorker?.getRegistration().catch(() => null);
  return worker?.active ? "offline.works" : "offline.untrusted";
}


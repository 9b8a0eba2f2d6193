// Dates and times in the current language.
import { locale } from "../shared/text.js";

const formatted = (at, method, options) => (at ? new Date(at)[method](locale(), options) : "");
export const day = (at) => formatted(at, "toLocaleDateString", { year: "numeric", month: "short", day: "numeric" });
export const time = (at) => formatted(at, "toLocaleTimeString", { hour: "numeric", minute: "2-digit" });
export const moment = (at) =>
	formatted(at, "toLocaleString", { month: "short", day: "numeric", hour: "numeric", minute: "2-digit" });

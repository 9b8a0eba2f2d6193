// Dates and times in the current language.
import { spoken } from "../shared/text.js";

const said = (at, how, options) => (at ? new Date(at)[how](spoken(), options) : "");
export const day = (at) => said(at, "toLocaleDateString", { year: "numeric", month: "short", day: "numeric" });
export const time = (at) => said(at, "toLocaleTimeString", { hour: "2-digit", minute: "2-digit" });
export const moment = (at) => said(at, "toLocaleString", { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" });

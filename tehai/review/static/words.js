// Sentences about a number of things, which have a form of their own for one of them.
import { t } from "./shared/text.js";

export const count = (key, n, values = {}) => t(n === 1 ? `${key}.one` : key, { n, ...values });

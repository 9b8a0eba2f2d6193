// Sentences with a count. They have a singular form.
import { t } from "./shared/text.js";

export const count = (key, n, values = {}) => t(n === 1 ? `${key}.one` : key, { n, ...values });

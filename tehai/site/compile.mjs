// node compile.mjs PYODIDE FOLDER...: compiles Python's sources below each FOLDER with the Python that will load them.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [pyodide, ...folders] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`).href);
const python = await loadPyodide({ packages: [] });
python.runPython(readFileSync(new URL("compiling.py", import.meta.url), "utf8"));
for (const [nth, folder] of folders.entries()) {
	python.mountNodeFS(`/sources${nth}`, folder);
	python.runPython(`compile_all("/sources${nth}")`);
}
process.exit(0);

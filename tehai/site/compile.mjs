// node compile.mjs PYODIDE FOLDER: compiles Python's sources below FOLDER with the Python that will load them.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [pyodide, folder] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`).href);
const python = await loadPyodide({ packages: [] });
python.mountNodeFS("/sources", folder);
python.runPython(readFileSync(new URL("compiling.py", import.meta.url), "utf8"));
python.runPython('compile_all("/sources")');
process.exit(0);

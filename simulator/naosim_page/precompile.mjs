// Compiles the Python modules that a worker needs at its start, so that a visitor's browser need not: three seconds less.
// Called by site.py: node precompile.mjs LIBRARY_FOLDER BUNDLE MODULE OUT_FOLDER
// Writes python_stdlib.zip and nao.zip, not compressed: the site packs them whole.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [library, bundle, module, out] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(path.join(library, "pyodide.mjs")).href);
const read = (/** @type {string} */ file) => new Uint8Array(fs.readFileSync(file));
// Tracebacks show the columns of an error only if they have the source, and the columns would be 0.6 MB of the download.
const python = await loadPyodide({ env: { PYTHONNODEBUGRANGES: "1" } });
python.unpackArchive(read(bundle), "zip", { extractDir: "/nao" });
python.FS.writeFile("/library.zip", read(path.join(library, "python_stdlib.zip")));
python.FS.writeFile("/bundle.zip", read(bundle));
python.globals.set("module", module);
python.runPython(`
import ast, importlib, importlib._bootstrap_external as files, re, sys, zipfile

LIBRARY, BUNDLE = "/lib/python314.zip/", "/nao/"
# What nothing in a browser can use: terminals, debuggers, windows, processes, documentation, doubles of modules in C, the
# character sets of old mainframes, DOS and Macintosh, and what is for Windows, macOS and AIX.
UNUSED = re.compile(r"(_pyrepl|__phello__|idlelib|tkinter|ensurepip|venv|curses|dbm|site-packages|multiprocessing|unittest|wsgiref|"
    r"sqlite3|ctypes/macholib)/|asyncio/(__main__|tools|proactor_events|windows_\\w+)[.]py|ctypes/_aix[.]py|nturl2path[.]py|"
    r"concurrent/futures/process[.]py|"
    r"(pydoc\\w*|turtle\\w*|doctest|pdb|bdb|cProfile|profile|pstats|trace|mailbox|imaplib|tabnanny|pyclbr|modulefinder|"
    r"compileall|zipapp|antigravity|this|"
    r"_pyio|_pydatetime|_pydecimal|pickletools)[.]py|pydoc_data/|"
    r"encodings/(cp(0|10|11|2|7|85[5-7]|86|87|932|949|950)\\w*|mac_(?!roman)\\w+|hp_roman8|kz1048|ptcp154|palmos|tis_620|johab|hz|big5\\w*|"
    r"euc\\w+|gb\\w+|iso2022\\w*|shift\\w+)[.]py")
sys.path.insert(0, BUNDLE[:-1])
importlib.import_module(module)
importlib.import_module("naosim_page.dropped")
used = {getattr(each, "__file__", None) for each in list(sys.modules.values())}

def compiled(data, name):
    # Without docstrings, which would be a tenth of the download.
    code = compile(data, name, "exec", dont_inherit=True, optimize=2)
    return files._code_to_hash_pyc(code, bytes(8), False)

def write(source, target, folder):
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for name in sorted(old.namelist()):
            if name.endswith("/") or folder == LIBRARY and UNUSED.match(name):
                continue
            data = old.read(name)
            if name.endswith(".py") and folder + name in used:
                name, data = name + "c", compiled(data, folder + name)
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.external_attr = 0o644 << 16
            new.writestr(entry, data)

write("/library.zip", "/python_stdlib.zip", LIBRARY)
write("/bundle.zip", "/nao.zip", BUNDLE)
`);
for (const name of ["python_stdlib.zip", "nao.zip"]) fs.writeFileSync(path.join(out, name), python.FS.readFile(`/${name}`));
process.exit(0);

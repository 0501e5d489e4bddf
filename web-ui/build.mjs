// Builds the page into the Python package: `node build.mjs [FOLDER]`. The result depends on the sources alone.
import { build } from "esbuild";
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { LANGUAGES, wordsOf } from "./words.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const folder = resolve(process.argv[2] ?? join(here, "../src/hiddenhand/web/static"));

await mkdir(folder, { recursive: true });
await build({
  absWorkingDir: here,
  entryPoints: { app: "src/main.tsx" },
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  jsx: "automatic",
  jsxImportSource: "preact",
  charset: "utf8",
  legalComments: "none",
  outdir: folder,
});
for (const name of ["index.html", "favicon.svg"]) await copyFile(join(here, "public", name), join(folder, name));
for (const code of LANGUAGES)
  await writeFile(join(folder, `words.${code}.json`), `${JSON.stringify(await wordsOf(code))}\n`);

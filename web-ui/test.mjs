// Runs the tests of the page's logic in Node: `node test.mjs`. They need no browser.
import { build } from "esbuild";
import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const folder = await mkdtemp(join(tmpdir(), "hiddenhand-page-"));
const tests = (await readdir(join(here, "tests"))).filter((name) => name.endsWith(".test.ts"));
await build({
  absWorkingDir: here,
  entryPoints: tests.map((name) => `tests/${name}`),
  bundle: true,
  platform: "node",
  format: "esm",
  jsx: "automatic",
  jsxImportSource: "preact",
  loader: { ".css": "empty" },
  outExtension: { ".js": ".mjs" },
  outdir: folder,
});
const files = tests.map((name) => join(folder, name.replace(".ts", ".mjs")));
const done = spawnSync(process.execPath, ["--test", ...files], { stdio: "inherit" });
await rm(folder, { recursive: true });
process.exit(done.status ?? 1);

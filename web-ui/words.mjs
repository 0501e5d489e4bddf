// The catalogues of the page: `words/pl.po` and `words/sk.po`.
//
//   node words.mjs   adds to them whatever the page says and they do not have yet
import gettext from "gettext-parser";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
export const LANGUAGES = ["pl", "sk"];
const FORMS = 3;

export const catalogue = async (code) =>
  gettext.po.parse(await readFile(join(here, "words", `${code}.po`))).translations[""];

/** What the page reads: the English text, and its translation or the forms that go with numbers. */
export async function wordsOf(code) {
  const entries = Object.values(await catalogue(code)).filter((entry) => entry.msgid && entry.msgstr.every(Boolean));
  return Object.fromEntries(
    entries.map(({ msgid, msgid_plural, msgstr }) => [msgid, msgid_plural ? msgstr : msgstr[0]]),
  );
}

const TEXT = String.raw`"((?:[^"\\]|\\.)*)"`;
const ONE = new RegExp(String.raw`\bt\(\s*${TEXT}`, "g");
const SEVERAL = new RegExp(String.raw`\b(?:count|counted)\(\s*[^"]*?,\s*${TEXT},\s*${TEXT}`, "g");

/** What the page says by itself: English texts, with their plurals where there is a number. */
export async function pageTexts() {
  const names = await readdir(join(here, "src"), { recursive: true });
  const found = new Map();
  for (const name of names.filter((one) => /\.tsx?$/.test(one)).sort()) {
    const text = await readFile(join(here, "src", name), "utf8");
    for (const match of text.matchAll(ONE)) found.set(JSON.parse(`"${match[1]}"`), null);
    for (const match of text.matchAll(SEVERAL)) found.set(JSON.parse(`"${match[1]}"`), JSON.parse(`"${match[2]}"`));
  }
  return found;
}

async function addMissing() {
  const texts = await pageTexts();
  for (const code of LANGUAGES) {
    const file = join(here, "words", `${code}.po`);
    const po = gettext.po.parse(await readFile(file));
    for (const [msgid, msgid_plural] of texts)
      po.translations[""][msgid] ??= msgid_plural
        ? { msgid, msgid_plural, msgstr: Array(FORMS).fill("") }
        : { msgid, msgstr: [""] };
    await writeFile(file, gettext.po.compile(po, { foldLength: 0 }) + "\n");
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await addMissing();

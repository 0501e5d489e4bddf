/** The page's languages. The page is written in English; a catalogue gives the same words in another language.

`t` is for the page's own sentences, `count` for those with a number, `say` for what the server says: its sentences are
looked up as they are, and else by the frames of the catalogue, such as "{who} takes the trick". */

export type Words = { [english: string]: string | string[] };
export type Values = { [name: string]: string | number };

export const LANGUAGES: { [code: string]: string } = { en: "English", pl: "Polski", sk: "Slovenčina" };

let language = "en";
let shipped: Words = {};
/** What worlds that people brought call things, by language. */
const brought: { [code: string]: Words } = {};
let words: Words = {};
let frames: Frame[] = [];
let said = new Map<string, string>();
/** What the server said and no catalogue knows: for the tests. */
export const missed = new Set<string>();

interface Frame {
  pattern: RegExp;
  names: string[];
  forms: string[];
  literal: number;
}

const PLACE = /\{(\w+)\}/g;
/** Places that hold numbers only: without this, "{low} to {high}" would be found in any sentence with "to". */
const NUMBERS = new Set(["n", "low", "high", "done", "total"]);

/** Places that hold what a node of a picture is called: it is called so there too, and only longer words are translated. */
const LABELS = new Set(["node", "below"]);

export const currentLanguage = (): string => language;

/** Use a catalogue from now on. */
export function speak(code: string, catalogue: Words): void {
  language = code;
  shipped = catalogue;
  words = { ...brought[code], ...catalogue };
  frames = Object.entries(words)
    .filter(([english]) => english.includes("{"))
    .map(([english, forms]) => frameOf(english, Array.isArray(forms) ? forms : [forms]))
    .sort((a, b) => b.literal - a.literal);
  said = new Map();
}

/** Use the words that a game brings, where the catalogue has none. */
export function addWords(own: { [code: string]: Words }): void {
  for (const [code, more] of Object.entries(own)) brought[code] = { ...brought[code], ...more };
  if (language in own) speak(language, shipped);
}

function frameOf(english: string, forms: string[]): Frame {
  const names: string[] = [];
  const parts = english.split(PLACE);
  const pattern = parts
    .map((part, i) => {
      if (i % 2 === 0) return part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
      names.push(part);
      return NUMBERS.has(part) ? "([-+−]?(?:[\\d.,]+(?:e[-+]\\d+)?|inf))" : "(.+?)";
    })
    .join("");
  return {
    pattern: new RegExp(`^${pattern}$`, "s"),
    names,
    forms,
    literal: english.replace(PLACE, "").length,
  };
}

function filled(text: string, values: Values): string {
  return text.replace(PLACE, (whole, name: string) => (name in values ? String(values[name]) : whole));
}

/** Which of the forms goes with a number, in this language. */
function formFor(forms: string[], n: number): string {
  if (forms.length === 1) return forms[0]!;
  const rule = new Intl.PluralRules(language).select(n);
  const order = language === "en" ? ["one", "other"] : ["one", "few", "many", "other"];
  const index = language === "sk" && rule === "other" ? 2 : order.indexOf(rule);
  return forms[Math.min(Math.max(index, 0), forms.length - 1)]!;
}

/** A sentence of the page. */
export function t(english: string, values: Values = {}): string {
  const found = words[english];
  return filled(found === undefined ? english : Array.isArray(found) ? found[0]! : found, values);
}

/** A sentence with a number, `{n}`. */
export function count(n: number, one: string, several: string, values: Values = {}): string {
  const found = words[one];
  const forms = found === undefined ? [one, several] : Array.isArray(found) ? found : [found];
  const text = found === undefined ? (n === 1 ? one : several) : formFor(forms, n);
  return filled(text, { n, ...values });
}

const locale = (): string => (language === "en" ? "en-GB" : language);

/** A number as it is written in this language. */
export function numeral(value: number, how: Intl.NumberFormatOptions = {}): string {
  return (value + 0).toLocaleString(locale(), how).replace("-", "−"); // + 0: zero has no sign
}

/** A day and an hour, from milliseconds since 1970. */
export const dayAndTime = (when: number): string =>
  new Date(when).toLocaleString(locale(), { dateStyle: "medium", timeStyle: "short" });

/** A text of the server's. */
export function say(english: string): string {
  if (language === "en" || !english) return english;
  const known = said.get(english);
  if (known !== undefined) return known;
  const found = framed(english);
  if (said.size > 5000) said.clear();
  said.set(english, found);
  return found;
}

function framed(english: string): string {
  const whole = words[english];
  if (whole !== undefined) return Array.isArray(whole) ? whole[0]! : whole;
  for (const { pattern, names, forms } of frames) {
    const match = pattern.exec(english);
    if (!match) continue;
    const values: Values = {};
    names.forEach((name, i) => {
      const text = match[i + 1]!;
      values[name] = LABELS.has(name) && !/\s/.test(text) ? text : say(text);
    });
    return filled(formFor(forms, Number(values.n ?? 1)), values);
  }
  const numbered = /^(.+) (\d+)$/.exec(english);
  if (numbered && numbered[1]! in words) return `${say(numbered[1]!)} ${numbered[2]}`;
  missed.add(english);
  return english;
}

/** A move in words: its text, told with what is done where that is a bare name, or a name made for programs. */
export function moveWords({ text, verb, objects }: { text: string; verb: string; objects: string[] }): string {
  const bare = objects.length === 1 && objects[0] === text;
  return verb && (bare || text.includes("_")) ? [verb, ...objects].map(say).join(" ") : say(text);
}

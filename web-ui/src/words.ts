/** The page's languages. The page is written in English; a catalogue gives the same words in another language.

`t` is for the page's own sentences, `count` for those with a number, `word` for names that programs have for things,
such as settings. What the server says comes in the language in which it was asked. */

export type Words = { [english: string]: string | string[] };
export type Values = { [name: string]: string | number };

export const LANGUAGES: { [code: string]: string } = { en: "English", pl: "Polski", sk: "Slovenčina" };

let language = "en";
let words: Words = {};

const PLACE = /\{(\w+)\}/g;

export const currentLanguage = (): string => language;

/** Use a catalogue from now on. */
export function speak(code: string, catalogue: Words): void {
  language = code;
  words = catalogue;
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

/** A name that programs have for something (a setting, a choice, a colour), in words. */
export function word(name: string): string {
  const english = name.replaceAll("_", " ");
  const found = words[english];
  return typeof found === "string" ? found : english;
}

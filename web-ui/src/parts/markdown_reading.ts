/** Reading Markdown: headings, paragraphs, lists, quotations, code, tables; inside them bold, italics, code, links.
 *
 * What comes out is data, which somebody else draws: no HTML passes through, a tag is text like any other. */

export type Inline =
  | { kind: "text"; text: string }
  | { kind: "code"; text: string }
  | { kind: "strong" | "emphasis"; parts: Inline[] }
  | { kind: "link"; address: string; parts: Inline[] }
  | { kind: "image"; address: string; text: string };

export type Block =
  | { kind: "heading"; level: number; parts: Inline[] }
  | { kind: "paragraph"; parts: Inline[] }
  | { kind: "code"; text: string }
  | { kind: "quotation"; blocks: Block[] }
  | { kind: "list"; ordered: boolean; items: Block[][] }
  | { kind: "table"; head: Inline[][]; rows: Inline[][][] }
  | { kind: "line" };

const ADDRESS = String.raw`\(<?([^()\s<>]{1,500})>?(?:\s+"[^"]{0,300}")?\)`;
/** Lengths are bounded, so that a text full of openings takes no longer than any other. */
const INLINE = new RegExp(
  [
    String.raw`\\([!-/:-@[-\x60{-~])`,
    String.raw`(\x60{1,3})(.{1,1000}?)\2(?!\x60)`,
    String.raw`!\[([^\]]{0,300})\]${ADDRESS}`,
    String.raw`\[([^\]]{1,300})\]${ADDRESS}`,
    String.raw`\*\*(?=\S)(.{1,1000}?)\*\*`,
    String.raw`\*(?=\S)(.{1,1000}?)\*`,
    String.raw`(?<!\w)_(?=\S)(.{1,1000}?)_(?!\w)`,
  ].join("|"),
  "gs",
);

export function readInline(text: string): Inline[] {
  const parts: Inline[] = [];
  let end = 0;
  const plain = (more: string) => more && parts.push({ kind: "text", text: more });
  for (const found of text.matchAll(INLINE)) {
    plain(text.slice(end, found.index));
    end = found.index + found[0].length;
    const [, escaped, , code, alternative, image, words, address, strong, starred, underlined] = found;
    const emphasis = starred ?? underlined;
    if (escaped !== undefined) plain(escaped);
    else if (code !== undefined) parts.push({ kind: "code", text: code.trim() });
    else if (image !== undefined) parts.push({ kind: "image", address: image, text: alternative ?? "" });
    else if (address !== undefined) parts.push({ kind: "link", address, parts: readInline(words!) });
    else if (strong !== undefined) parts.push({ kind: "strong", parts: readInline(strong) });
    else if (emphasis !== undefined) parts.push({ kind: "emphasis", parts: readInline(emphasis) });
  }
  plain(text.slice(end));
  return parts;
}

const FENCE = /^ {0,3}(```+|~~~+)/;
const HEADING = /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/;
const ITEM = /^( *)([-*+]|\d{1,9}[.)])(?:\s+(.*))?$/;
const QUOTED = /^ {0,3}> ?/;
const LINE = /^ {0,3}([-*_])(?:\s*\1){2,}\s*$/;
const DIVIDER = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;
const DEEPEST = 8;

/** The cells of a row; a bar inside of code or behind a backslash divides nothing. */
function cells(row: string): Inline[][] {
  const inner = row.trim().replace(/^\|/, "").replace(/(?<!\\)\|$/, "");
  const found = inner.match(/(?:\\.|`[^`]*`|[^|\\`]|[`\\])*(?:\||$)/g) ?? [];
  const texts = found.map((cell) => cell.replace(/\|$/, "").replaceAll("\\|", "|").trim());
  return texts.slice(0, inner.endsWith("|") ? undefined : -1).map(readInline);
}

/** Takes lines off the front of what is left to read. */
class Reader {
  constructor(
    private lines: string[],
    private depth: number,
  ) {}

  private at = 0;

  private get line(): string | undefined {
    return this.lines[this.at];
  }

  /** The following lines as long as they fit. */
  private take(fits: (line: string) => boolean): string[] {
    const start = this.at;
    while (this.line !== undefined && fits(this.line)) this.at++;
    return this.lines.slice(start, this.at);
  }

  blocks(): Block[] {
    const found: Block[] = [];
    for (;;) {
      this.take((line) => line.trim() === "");
      if (this.line === undefined) return found;
      found.push(this.block(this.line));
    }
  }

  private block(first: string): Block {
    if (FENCE.test(first)) return this.fenced(first);
    const heading = HEADING.exec(first);
    if (heading) {
      this.at++;
      return { kind: "heading", level: heading[1]!.length, parts: readInline(heading[2]!) };
    }
    if (LINE.test(first)) {
      this.at++;
      return { kind: "line" };
    }
    if (this.depth < DEEPEST && QUOTED.test(first)) {
      const inner = this.take((line) => QUOTED.test(line)).map((line) => line.replace(QUOTED, ""));
      return { kind: "quotation", blocks: new Reader(inner, this.depth + 1).blocks() };
    }
    if (this.depth < DEEPEST && ITEM.test(first)) return this.list(first);
    if (first.includes("|") && DIVIDER.test(this.lines[this.at + 1] ?? "")) return this.table(first);
    this.at++;
    const rest = this.take((line) => line.trim() !== "" && !this.startsBlock(line));
    return { kind: "paragraph", parts: readInline([first, ...rest].map((line) => line.trim()).join(" ")) };
  }

  private startsBlock(line: string): boolean {
    return [FENCE, HEADING, ITEM, QUOTED, LINE].some((pattern) => pattern.test(line));
  }

  private fenced(first: string): Block {
    const fence = FENCE.exec(first)![1]!;
    this.at++;
    const text = this.take((line) => !line.trim().startsWith(fence));
    this.at++;
    return { kind: "code", text: text.join("\n") };
  }

  private list(first: string): Block {
    const ordered = /\d/.test(ITEM.exec(first)![2]!);
    const indent = ITEM.exec(first)![1]!.length;
    const isNext = (line: string): boolean => {
      const item = ITEM.exec(line);
      return item !== null && item[1]!.length === indent && /\d/.test(item[2]!) === ordered && !LINE.test(line);
    };
    const items: Block[][] = [];
    while (this.line !== undefined && isNext(this.line)) {
      const text = ITEM.exec(this.line)![3] ?? "";
      const margin = new RegExp(`^ {0,${this.line.length - text.length}}`);
      this.at++;
      const inner = this.itemLines(indent).map((line) => line.replace(margin, ""));
      items.push(new Reader([text, ...inner], this.depth + 1).blocks());
      const before = this.at;
      this.take((line) => line.trim() === "");
      if (this.line === undefined || !isNext(this.line)) this.at = before;
    }
    return { kind: "list", ordered, items };
  }

  /** The further lines of an item: those further in, and those that go on with its paragraph. */
  private itemLines(indent: number): string[] {
    const start = this.at;
    for (; this.line !== undefined; this.at++) {
      const blank = this.line.trim() === "";
      const decisive = blank ? (this.lines[this.at + 1] ?? "") : this.line;
      const further = decisive.search(/\S/) > indent;
      if (!further && (blank || this.startsBlock(this.line))) break;
    }
    return this.lines.slice(start, this.at);
  }

  private table(first: string): Block {
    this.at += 2;
    const rows = this.take((line) => line.includes("|") && line.trim() !== "");
    return { kind: "table", head: cells(first), rows: rows.map(cells) };
  }
}

export function readMarkdown(text: string): Block[] {
  return new Reader(text.replace(/\r\n?/g, "\n").replaceAll("\t", "    ").split("\n"), 0).blocks();
}

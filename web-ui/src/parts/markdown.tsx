/** Markdown on the page. Links stay inside: an address that leads elsewhere is shown, not followed. */

import type { ComponentChildren } from "preact";
import { readMarkdown, type Block, type Inline } from "./markdown_reading";

/** Where an address of the text leads on this page; null if it leads elsewhere. */
export type Place = (address: string) => string | null;

const ownPlaces: Place = (address) => (/^(#|\/(?!\/))/.test(address) ? address : null);

/** A heading as the part of an address behind #. */
function anchor(parts: Inline[]): string {
  const words = parts.map((part) => ("text" in part ? part.text : anchor(part.parts))).join("");
  return words.toLowerCase().replace(/[^\p{L}\p{N} -]/gu, "").trim().replaceAll(" ", "-");
}

function inline(parts: Inline[], place: Place): ComponentChildren {
  return parts.map((part, i) => piece(part, place, i));
}

function piece(part: Inline, place: Place, key: number): ComponentChildren {
  switch (part.kind) {
    case "text":
      return part.text;
    case "code":
      return <code key={key}>{part.text}</code>;
    case "strong":
      return <strong key={key}>{inline(part.parts, place)}</strong>;
    case "emphasis":
      return <em key={key}>{inline(part.parts, place)}</em>;
    case "link": {
      const href = place(part.address);
      if (href !== null)
        return (
          <a key={key} href={href}>
            {inline(part.parts, place)}
          </a>
        );
      return (
        <span key={key} class="elsewhere">
          {inline(part.parts, place)} <small class="soft">({part.address})</small>
        </span>
      );
    }
    case "image": {
      const source = place(part.address);
      return source === null ? part.text : <img key={key} src={source} alt={part.text} loading="lazy" />;
    }
  }
}

const HEADINGS = ["h2", "h3", "h4", "h5", "h6", "h6"] as const;

function block(one: Block, place: Place, key: number): ComponentChildren {
  switch (one.kind) {
    case "heading": {
      const Heading = HEADINGS[one.level - 1]!;
      return (
        <Heading key={key} id={anchor(one.parts)}>
          {inline(one.parts, place)}
        </Heading>
      );
    }
    case "paragraph":
      return <p key={key}>{inline(one.parts, place)}</p>;
    case "code":
      return (
        <pre key={key} tabIndex={0}>
          <code>{one.text}</code>
        </pre>
      );
    case "quotation":
      return <blockquote key={key}>{blocks(one.blocks, place)}</blockquote>;
    case "list": {
      const List = one.ordered ? "ol" : "ul";
      return (
        <List key={key}>
          {one.items.map((item, i) => (
            <li key={i}>
              {item.length === 1 && item[0]?.kind === "paragraph"
                ? inline(item[0].parts, place)
                : blocks(item, place)}
            </li>
          ))}
        </List>
      );
    }
    case "table":
      return (
        <div key={key} class="scroll">
          <table class="figures">
            <thead>
              <tr>
                {one.head.map((cell, i) => (
                  <th key={i}>{inline(cell, place)}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {one.rows.map((row, i) => (
                <tr key={i}>
                  {row.map((cell, j) => (
                    <td key={j}>{inline(cell, place)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      );
    case "line":
      return <hr key={key} />;
  }
}

function blocks(all: Block[], place: Place): ComponentChildren {
  return all.map((one, i) => block(one, place, i));
}

export function Markdown({ text, place = ownPlaces }: { text: string; place?: Place }) {
  return <div class="prose">{blocks(readMarkdown(text), place)}</div>;
}

/** Asking the server over HTTP, and reading what it says without losing digits. */

import type { ErrorInfo } from "./wire_types";
import { currentLanguage, t } from "./words";

const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Parse JSON; whole numbers too long for a double come as text, for BigInt. */
export function parse(text: string): unknown {
  const long = /\d{16}/.test(text);
  const safe = long ? text.replace(TOKENS, (token) => (/^-?\d{16,}$/.test(token) ? `"${token}"` : token)) : text;
  return JSON.parse(safe) as unknown;
}

/** An error whose text is meant for the reader; `away`: the server could not be reached at all. */
export class Refused extends Error {
  constructor(
    text: string,
    readonly away = false,
  ) {
    super(text);
  }
}

/** What the server answers, read and as it was written; a refusal is thrown with the server's own sentence. */
async function answerTo(method: string, path: string, body?: unknown): Promise<{ read: unknown; text: string }> {
  let answer: Response;
  try {
    const headers: Record<string, string> = { "accept-language": currentLanguage() };
    if (body !== undefined) headers["content-type"] = "application/json";
    answer = await fetch(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  } catch {
    throw new Refused(t("the server cannot be reached"), true);
  }
  const text = await answer.text();
  let read: unknown = null;
  try {
    read = text ? parse(text) : null;
  } catch {
    throw new Refused(t("the server's answer makes no sense (status {status})", { status: answer.status }));
  }
  if (!answer.ok) {
    const told = (read as ErrorInfo | null)?.error;
    throw new Refused(told ?? t("the server answered with status {status}", { status: answer.status }));
  }
  return { read, text };
}

/** One request to the server. */
export async function ask<T>(method: "GET" | "POST" | "DELETE", path: string, body?: unknown): Promise<T> {
  return (await answerTo(method, path, body)).read as T;
}

/** What lies there, digit by digit, as a file on the reader's own machine. */
export async function saveFile(path: string, name: string): Promise<void> {
  const { text } = await answerTo("GET", path);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

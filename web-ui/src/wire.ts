/** Asking the server over HTTP, and reading what it says without losing digits. */

import type { Refusal } from "./wire_types";
import { t } from "./words";

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

/** One request to the server; a refusal is thrown with the server's own sentence. */
export async function ask<T>(method: "GET" | "POST" | "DELETE", path: string, body?: unknown): Promise<T> {
  let answer: Response;
  try {
    const headers = body === undefined ? undefined : { "content-type": "application/json" };
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
    const told = (read as Refusal | null)?.error;
    throw new Refused(told ?? t("the server answered with status {status}", { status: answer.status }));
  }
  return read as T;
}

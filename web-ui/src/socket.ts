/** One WebSocket for the page. It comes back by itself after a break and joins its table again. */

import { parse } from "./wire";
import { currentLanguage } from "./words";
import type { ServerMessage, SocketRequest } from "./wire_types";

const FIRST_WAIT = 300;
const LONGEST_WAIT = 5000;
const PING_EVERY = 25000;

export class ServerConnection {
  private socket: WebSocket | null = null;
  private wait = FIRST_WAIT;
  private closed = false;
  private timer = 0;
  private pings = 0;

  constructor(
    private readonly hello: () => SocketRequest,
    private readonly hear: (message: ServerMessage) => void,
    private readonly connected: (yes: boolean) => void,
  ) {
    this.open();
  }

  /** Whether there is a line on which it was said. */
  say(message: SocketRequest): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    clearInterval(this.pings);
    this.socket?.close();
  }

  private open(): void {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/ws?language=${currentLanguage()}`);
    this.socket = socket;
    socket.onopen = () => {
      this.wait = FIRST_WAIT;
      this.say(this.hello());
      this.connected(true);
      clearInterval(this.pings);
      this.pings = window.setInterval(() => this.say({ type: "ping" }), PING_EVERY);
    };
    socket.onmessage = (event) => this.hear(parse(String(event.data)) as ServerMessage);
    socket.onclose = () => {
      if (this.closed) return;
      this.connected(false);
      this.timer = window.setTimeout(() => this.open(), this.wait);
      this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
    };
  }
}

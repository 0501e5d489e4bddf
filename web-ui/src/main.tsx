/** The page: its head, and below it the place where one is. */

import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { theme } from "./memory";
import { Gallery } from "./pages/gallery";
import { Lab } from "./pages/lab";
import { Lobby } from "./pages/lobby";
import { TablePage } from "./pages/table";
import { useKeys } from "./parts/keys";
import { Sign, type SignName } from "./parts/sign";
import { followLinks, usePath } from "./route";
import { applyTheme, nextTheme } from "./theme";
import { ask, type GameInfo, type Refused } from "./wire";
import "./style/index.css";

const PLACES: [string, string][] = [
  ["/", "Play"],
  ["/lab", "Lab"],
  ["/gallery", "Gallery"],
];

function Page() {
  const path = usePath();
  const [games, setGames] = useState<GameInfo[] | null>(null);
  const [error, setError] = useState("");
  const [look, setLook] = useState(theme());
  useEffect(() => {
    ask<GameInfo[]>("GET", "/api/games").then(setGames, (reason: Refused) => setError(reason.message));
  }, []);
  useEffect(() => {
    if (!path.startsWith("/t/")) document.title = "hiddenhand";
  }, [path]);
  useKeys({ t: () => setLook(nextTheme()) });

  const table = /^\/t\/([^/]+)\/?$/.exec(path)?.[1];
  const place = () => {
    if (error)
      return (
        <main class="narrow">
          <p class="error" role="alert">
            {error}
          </p>
        </main>
      );
    if (!games)
      return (
        <main class="narrow soft" aria-busy="true">
          Loading…
        </main>
      );
    if (table) return <TablePage key={table} table={decodeURIComponent(table)} games={games} />;
    if (path === "/lab") return <Lab games={games} />;
    if (path === "/gallery") return <Gallery />;
    return <Lobby games={games} />;
  };
  return (
    <>
      <a href="#content" class="skip">
        To the content
      </a>
      <nav class="top" aria-label="pages">
        <a href="/" class="brand">
          <img src="/favicon.svg" alt="" width="24" height="24" /> hiddenhand
        </a>
        {PLACES.map(([address, name]) => (
          <a key={address} href={address} aria-current={path === address ? "page" : undefined}>
            {name}
          </a>
        ))}
        <button
          type="button"
          class="quiet theme"
          title="t"
          aria-label={`colours: ${look}`}
          onClick={() => setLook(nextTheme())}
        >
          <Sign name={look as SignName} /> <span class="theme-name">{look}</span>
        </button>
      </nav>
      <div id="content" tabIndex={-1}>
        {place()}
      </div>
    </>
  );
}

applyTheme();
document.addEventListener("click", followLinks);
render(<Page />, document.getElementById("page")!);

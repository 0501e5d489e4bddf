/** The page: its head, and below it the place where one is. */

import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { keepLanguage, language, theme } from "./memory";
import { BringYourOwn } from "./pages/bring";
import { Gallery } from "./pages/gallery";
import { Lab } from "./pages/lab";
import { Lobby } from "./pages/lobby";
import { TablePage } from "./pages/table";
import { TeachingBench } from "./pages/teaching";
import { useKeys } from "./parts/keys";
import { Sign, type SignName } from "./parts/sign";
import { followLinks, usePath } from "./route";
import { applyTheme, nextTheme } from "./theme";
import { ask, type Refused } from "./wire";
import type { GameInfo } from "./wire_types";
import { currentLanguage, LANGUAGES, speak, t, type Words } from "./words";
import "./style/index.css";

const places = (): [string, string][] => [
  ["/", t("Play")],
  ["/open", t("Bring your own")],
  ["/lab", t("Lab")],
  ["/teach", t("Teaching bench")],
  ["/gallery", t("Gallery")],
];

/** The language that was chosen, or the first of the browser's that there is. */
function wantedLanguage(): string {
  const wished = [language(), ...navigator.languages.map((one) => one.slice(0, 2))];
  return wished.find((code) => code in LANGUAGES) ?? "en";
}

/** Speak a language; English needs no catalogue. */
async function learn(code: string): Promise<void> {
  try {
    speak(code, code === "en" ? {} : await ask<Words>("GET", `/words.${code}.json`));
    document.documentElement.lang = code;
  } catch {
    speak("en", {});
  }
}

function Page() {
  const path = usePath();
  const [games, setGames] = useState<GameInfo[] | null>(null);
  const [error, setError] = useState("");
  const [look, setLook] = useState(theme());
  const [spoken, setSpoken] = useState(currentLanguage());
  const changeLanguage = (code: string) => {
    keepLanguage(code);
    void learn(code).then(() => setSpoken(code));
  };
  useEffect(() => {
    ask<GameInfo[]>("GET", "/api/games").then(
      (found) => {
        setGames(found);
        setError("");
      },
      (reason: Refused) => setError(reason.message),
    );
  }, [spoken]);
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
          {t("Loading…")}
        </main>
      );
    if (table) return <TablePage key={table} table={decodeURIComponent(table)} games={games} />;
    if (path === "/open") return <BringYourOwn />;
    if (path === "/lab") return <Lab games={games} />;
    if (path === "/teach") return <TeachingBench games={games} />;
    if (path === "/gallery") return <Gallery />;
    return <Lobby games={games} />;
  };
  return (
    <>
      <a href="#content" class="skip">
        {t("To the content")}
      </a>
      <nav class="top" aria-label={t("pages")}>
        <a href="/" class="brand">
          <img src="/favicon.svg" alt="" width="24" height="24" /> hiddenhand
        </a>
        {places().map(([address, name]) => (
          <a key={address} href={address} aria-current={path === address ? "page" : undefined}>
            {name}
          </a>
        ))}
        <select
          class="language"
          aria-label={t("language")}
          value={spoken}
          onChange={(event) => changeLanguage(event.currentTarget.value)}
        >
          {Object.entries(LANGUAGES).map(([code, name]) => (
            <option key={code} value={code} lang={code}>
              {name}
            </option>
          ))}
        </select>
        <button
          type="button"
          class="quiet theme"
          title="t"
          aria-label={t("colours: {look}", { look: lookWords(look) })}
          onClick={() => setLook(nextTheme())}
        >
          <Sign name={look as SignName} /> <span class="theme-name">{lookWords(look)}</span>
        </button>
      </nav>
      <div id="content" tabIndex={-1} key={spoken}>
        {place()}
      </div>
    </>
  );
}

const lookWords = (look: string): string =>
  look === "light" ? t("light") : look === "dark" ? t("dark") : t("system");

applyTheme();
document.addEventListener("click", followLinks);
void learn(wantedLanguage()).then(() => render(<Page />, document.getElementById("page")!));

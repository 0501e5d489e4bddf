/** The lobby: choose a game, perhaps change who plays and how, and start. */

import { useEffect, useState } from "preact/hooks";
import { GameIcon } from "../parts/game_icon";
import { GuideDialog } from "../parts/guide";
import { keepLastGame, keepLobby, lastGame, lobby, myName, visited } from "../memory";
import { openTable } from "../open_table";
import { SeatFields, usualSeats } from "../parts/seat_fields";
import { changed, defaultsOf, SettingField, valueShown, withChoice } from "../parts/setting";
import { ask, parse } from "../wire";
import type { GameInfo, Json, NewTableInfo, SeatBody, SettingInfo } from "../wire_types";
import { count as counted, dayAndTime, t } from "../words";

const FAVOURITES = ["hanabi", "dominion", "snaps", "connect_four", "dorban", "reversi", "backgammon"];

function sorted(games: GameInfo[]): GameInfo[] {
  const rank = (game: GameInfo): number =>
    FAVOURITES.includes(game.name) ? FAVOURITES.indexOf(game.name) : game.name === "tree" ? 100 : 99;
  return [...games].sort((a, b) => rank(a) - rank(b) || a.title.localeCompare(b.title));
}

function traits(game: GameInfo): string {
  const [few, many] = game.players;
  const players =
    few === many ? counted(few, "{n} player", "{n} players") : t("{few} to {many} players", { few, many });
  const secrecy = game.hidden ? t("hidden information") : game.chance ? t("open, with chance") : t("open");
  return `${players} · ${secrecy}${game.utility === "cooperative" ? ` · ${t("together")}` : ""}`;
}

const playersFirst = (game: GameInfo): [string, SettingInfo][] =>
  Object.entries(game.options).sort(([a], [b]) => Number(b === "players") - Number(a === "players"));

/** The game with these options: who can play it may depend on them. */
function useGameWith(game: GameInfo, options: { [name: string]: Json }): GameInfo {
  const [info, setInfo] = useState(game);
  const query = new URLSearchParams(
    Object.entries(changed(game.options, options)).map(([name, value]) => [name, String(value)]),
  ).toString();
  useEffect(() => {
    if (!query) {
      setInfo(game);
      return;
    }
    const timer = setTimeout(() => {
      ask<GameInfo>("GET", `/api/games/${game.name}?${query}`).then(setInfo, () => undefined);
    }, 250);
    return () => clearTimeout(timer);
  }, [game, query]);
  return info;
}

function Setup({ game: usual, fail }: { game: GameInfo; fail: (text: string) => void }) {
  const remembered = lobby(usual.name);
  const [options, setOptions] = useState<{ [name: string]: Json }>({
    ...defaultsOf(usual.options),
    ...remembered.options,
  });
  const game = useGameWith(usual, options);
  const count = Number(options.players ?? game.players[1]) || game.players[1];
  const [seats, setSeats] = useState<SeatBody[]>(
    remembered.seats?.length === count ? remembered.seats : usualSeats(game, count),
  );
  const [seed, setSeed] = useState("");
  const [cards, setCards] = useState(false);
  const [busy, setBusy] = useState(false);
  const [guide, setGuide] = useState(false);

  const setOption = (name: string, value: Json) => {
    setOptions(withChoice(game.options, options, name, value));
    if (name !== "players") return;
    const wanted = Math.min(Math.max(Number(value) || game.players[0], game.players[0]), game.players[1]);
    setSeats(Array.from({ length: wanted }, (_, i) => seats[i] ?? { who: "agent", agent: game.usual }));
  };
  const start = async () => {
    setBusy(true);
    fail("");
    const name = myName();
    keepLobby(game.name, { options: changed(game.options, options), seats });
    const wishes = seats.map((seat) => (seat.who === "me" && name ? { ...seat, name } : seat));
    const order = {
      game: game.name,
      options: changed(game.options, options),
      seats: wishes,
      open: cards,
      ...(seed ? { seed: Number(seed) } : {}),
    };
    await openTable(ask<NewTableInfo>("POST", "/api/tables", order), fail);
    setBusy(false);
  };
  return (
    <section class="panel setup" aria-label={t("a game of {title}", { title: game.title })}>
      <header>
        <GameIcon game={game.name} />
        <div>
          <h2>{game.title}</h2>
          <p class="soft">{traits(game)}</p>
        </div>
        <button type="button" class="primary big" disabled={busy} onClick={() => void start()}>
          {busy ? t("Dealing…") : t("Start")}
        </button>
      </header>
      <p>
        {game.about}{" "}
        <button type="button" class="quiet inline" onClick={() => setGuide(true)}>
          {t("How to play")}
        </button>
      </p>
      {guide && <GuideDialog game={game} close={() => setGuide(false)} />}
      <h3>{t("Players")}</h3>
      <SeatFields game={game} seats={seats} change={setSeats} />
      {Object.keys(game.options).length > 0 && (
        <>
          <h3>{t("Options")}</h3>
          <div class="settings">
            {playersFirst(game).map(([name, setting]) => (
              <SettingField
                key={name}
                name={name}
                setting={setting}
                value={valueShown(name, setting, options)}
                change={(value) => setOption(name, value)}
              />
            ))}
          </div>
        </>
      )}
      <details>
        <summary>{t("The deal")}</summary>
        <div class="settings">
          <div class="setting">
            <label for="seed">{t("seed")}</label>
            <input
              id="seed"
              inputMode="numeric"
              pattern="[0-9]*"
              placeholder={t("at random")}
              value={seed}
              onInput={(event) => setSeed(event.currentTarget.value.replace(/\D/g, ""))}
            />
            <small>{t("The same seed gives the same deal.")}</small>
          </div>
          <div class="setting">
            <label for="open-cards">{t("open cards")}</label>
            <input
              id="open-cards"
              type="checkbox"
              checked={cards}
              onChange={(event) => setCards(event.currentTarget.checked)}
            />
            <small>{t("A test bench: look through everybody's eyes.")}</small>
          </div>
        </div>
      </details>
    </section>
  );
}

function Import({ fail }: { fail: (text: string) => void }) {
  const load = async (file: File | undefined) => {
    if (!file) return;
    fail("");
    let record: unknown;
    try {
      record = parse(await file.text());
    } catch {
      fail(t("{file} is not valid JSON", { file: file.name }));
      return;
    }
    await openTable(ask<NewTableInfo>("POST", "/api/records", record), fail);
  };
  return (
    <label class="button import">
      {t("Open a record…")}
      <input
        type="file"
        accept=".json,application/json"
        class="unseen"
        onChange={(event) => void load(event.currentTarget.files?.[0])}
      />
    </label>
  );
}

export function Lobby({ games }: { games: GameInfo[] }) {
  const ordered = sorted(games);
  const [chosen, setChosen] = useState(games.some((one) => one.name === lastGame()) ? lastGame() : (ordered[0]?.name ?? ""));
  const [error, setError] = useState("");
  const game = games.find((one) => one.name === chosen);
  const recent = visited();
  return (
    <main class="lobby">
      <div class="lobby-list">
        <h1>{t("What shall we play?")}</h1>
        <ul class="games">
          {ordered.map((one) => (
            <li key={one.name}>
              <button
                type="button"
                class="game-card"
                aria-pressed={one.name === chosen}
                data-game={one.name}
                onClick={() => {
                  setChosen(one.name);
                  keepLastGame(one.name);
                  setError("");
                  if (matchMedia("(max-width: 800px)").matches)
                    document.querySelector(".setup")?.scrollIntoView({ behavior: "smooth" });
                }}
              >
                <GameIcon game={one.name} />
                <span>
                  <b>{one.title}</b>
                  <small>{traits(one)}</small>
                </span>
              </button>
            </li>
          ))}
        </ul>
      </div>
      <div class="lobby-setup">
        {error && (
          <p class="error" role="alert">
            {error}
          </p>
        )}
        {game && <Setup key={game.name} game={game} fail={setError} />}
        <section class="panel" aria-label={t("your tables")}>
          <header>
            <h2>{t("Your tables")}</h2>
            <Import fail={setError} />
          </header>
          {recent.length === 0 ? (
            <p class="soft">{t("Tables you have sat at appear here, so that you can come back.")}</p>
          ) : (
            <ul class="recent">
              {recent.map(({ table, title, when }) => (
                <li key={table}>
                  <a href={`/t/${table}`}>{title}</a>{" "}
                  <span class="soft">{dayAndTime(when)}</span>
                </li>
              ))}
            </ul>
          )}
        </section>
      </div>
    </main>
  );
}

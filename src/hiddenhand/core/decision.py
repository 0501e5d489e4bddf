"""Decision: what every agent can be asked for. The action, what the others were worth, and why."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from hiddenhand.core import html
from hiddenhand.core.text import Text

MOST_SHOWN = 12


@dataclass
class Alternative:
    """One legal action as the agent sees it."""

    action: int
    text: str
    value: float | None = None
    """The payoff that it expects for the seat that moves; None if it expects none."""
    note: str = ""
    line: list[str] = field(default_factory=list)
    chance: float | None = None
    """How likely the agent, or whom it has learned from, plays this; None if it does not weigh moves so."""

    def worth(self) -> str:
        """Its value and its chance, as far as it has them."""
        value = [] if self.value is None else [Text("{value:+.3f}", value=self.value)]
        return Text.joined("  ", value if self.chance is None else [*value, Text("{p:6.1%} likely", p=self.chance)])


@dataclass(repr=False)
class Decision:
    """An action with its reasons.

    >>> import hiddenhand as hh
    >>> table = hh.game("tictactoe").deal()
    >>> table.play_all("b2 a1 c3")
    >>> table.ask(hh.agent("tictactoe", "alphabeta"))
    <Decision 0: a3, value +0.000>
    """

    action: int
    text: str = ""
    value: float | None = None
    """The payoff that the agent expects for its seat; None if it expects none."""
    alternatives: list[Alternative] = field(default_factory=list)
    belief: list[tuple[str, float]] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)
    line: list[str] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    """How much work it took: nodes, simulations, worlds, depth."""

    def compared_with(self, action: int) -> str:
        """Why not another action, in a sentence, as far as this decision says anything of it."""
        other = next((a for a in self.alternatives if a.action == action), None)
        mine = next((a for a in self.alternatives if a.action == self.action), None)
        if action == self.action:
            return Text("{move} is my move.", move=self.text)
        if other is None:
            return Text("I have not looked at that move; I prefer {move}.", move=self.text)
        known: dict[str, Any] = {"move": other.text, "mine": self.text}
        said = Text("{move} is not my move", move=other.text)
        best = self.value if mine is None or mine.value is None else mine.value
        if other.value is not None and best is not None:
            less = best - other.value
            known |= {"value": other.value, "best": best}
            if less > 0:
                said = Text("{move} is worth {value:+.3f}, {mine} {best:+.3f}: {less:.3f} less", **known, less=less)
            else:
                said = Text(
                    "{move} is worth {value:+.3f}, {mine} {best:+.3f}: as much, and I take the first of equals",
                    **known,
                )
        elif other.chance is not None and mine is not None and mine.chance is not None:
            known |= {"chance": other.chance, "best": mine.chance}
            said = Text("{move} has a chance of {chance:.1%}, {mine} one of {best:.1%}", **known)
        if other.note:
            said = Text("{sentence}; {note}", sentence=said, note=other.note)
        elif other.line:
            said = Text("{sentence}; then {line}", sentence=said, line=Text.joined(" ", other.line[:8]))
        return said + "."

    @classmethod
    def from_json(cls, told: dict[str, Any]) -> Decision:
        """What `to_json` wrote."""
        known = {name: told[name] for name in ("action", "text", "value", "reasons", "line", "counts")}
        belief = [(case["what"], case["probability"]) for case in told["belief"]]
        return cls(**known, alternatives=[Alternative(**each) for each in told["alternatives"]], belief=belief)

    def to_json(self) -> dict[str, Any]:
        return {
            "action": self.action,
            "text": self.text,
            "value": self.value,
            "alternatives": [vars(a) for a in self.alternatives],
            "belief": [{"what": what, "probability": p} for what, p in self.belief],
            "reasons": self.reasons,
            "line": self.line,
            "counts": self.counts,
        }

    def __repr__(self) -> str:
        value = "" if self.value is None else f", value {self.value:+.3f}"
        return f"<Decision {self.action}: {self.text or 'an action without a name'}{value}>"

    def _repr_html_(self) -> str:
        head, *_ = self.lines()
        said = [
            (
                a.text,
                "" if a.value is None else f"{a.value:+.3f}",
                "" if a.chance is None else html.share_bar(a.chance),
                a.note or " ".join(a.line[:8]),
            )
            for a in ranked(self.alternatives)[:MOST_SHOWN]
        ]
        moves = html.table(("move", "value", "chance", ""), said) if said else ""
        belief = [(what, html.share_bar(p)) for what, p in self.belief[:MOST_SHOWN]]
        return html.fragment(
            head, html.bullets(self.reasons), moves, html.table(("belief", ""), belief) if belief else ""
        )

    def __str__(self) -> str:
        return "\n".join(line.rstrip() for line in self.lines())

    def lines(self) -> list[str]:
        """All that it says: the move, its reasons, the other moves, the belief; each line can be rendered."""
        if self.value is None:
            lines: list[str] = [Text("my move: {move}", move=self.text)]
        else:
            lines = [Text("my move: {move} (value {value:+.3f})", move=self.text, value=self.value)]
        lines += [Text("  - {reason}", reason=reason) for reason in self.reasons]
        if any(a.worth() or a.note for a in self.alternatives):
            lines += [Text("  moves:"), *in_rows(self.alternatives)]
        if self.belief:
            lines.append(Text("  belief:"))
            lines += [Text("    {p:6.1%}  {what}", p=p, what=what) for what, p in self.belief[:MOST_SHOWN]]
            if rest := self.belief[MOST_SHOWN:]:
                share = sum(p for _, p in rest)
                lines.append(Text("    {p:6.1%}  ... {n} more together", p=share, n=len(rest)))
        return lines


def in_rows(alternatives: list[Alternative]) -> list[str]:
    """The best of the moves with what they are worth and what is said of them, in columns."""
    width = max(len(a.text) for a in alternatives)
    column = max(6, *(len(a.worth()) for a in alternatives))
    rows: list[str] = []
    for a in ranked(alternatives)[:MOST_SHOWN]:
        said = a.note or Text.joined(" ", a.line[:8])
        row = f"    {{move:<{width}}}  {{worth:<{column}}}  {{said}}"  # nothing to translate
        rows.append(Text(row, move=a.text, worth=a.worth(), said=said))
    if len(alternatives) > MOST_SHOWN:
        rows.append(Text("    ... and {n} more", n=len(alternatives) - MOST_SHOWN))
    return rows


def ranked(alternatives: list[Alternative]) -> list[Alternative]:
    """Best first, or likeliest first where nothing is said of payoffs; those without either last."""

    def place(a: Alternative) -> tuple[bool, float, bool, float]:
        return a.value is None, -(a.value or 0.0), a.chance is None, -(a.chance or 0.0)

    return sorted(alternatives, key=place)

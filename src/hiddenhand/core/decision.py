"""Decision: what every agent can be asked for. The action, what the others were worth, and why."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

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
        value = [] if self.value is None else [f"{self.value:+.3f}"]
        return "  ".join(value + ([] if self.chance is None else [f"{self.chance:6.1%} likely"]))


@dataclass
class Decision:
    """An action with its reasons."""

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
            return Text("{text} is my move.", text=self.text)
        if other is None:
            return Text("I have not looked at that move; I prefer {text}.", text=self.text)
        said = f"{other.text} is not my move"
        best = self.value if mine is None or mine.value is None else mine.value
        if other.value is not None and best is not None:
            less = best - other.value
            said = f"{other.text} is worth {other.value:+.3f}, {self.text} {best:+.3f}"
            said += f": {less:.3f} less" if less > 0 else ": as much, and I take the first of equals"
        elif other.chance is not None and mine is not None and mine.chance is not None:
            said = f"{other.text} has a chance of {other.chance:.1%}, {self.text} one of {mine.chance:.1%}"
        if other.note:
            said += f"; {other.note}"
        elif other.line:
            said += f"; then {' '.join(other.line[:8])}"
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

    def __str__(self) -> str:
        lines = [f"my move: {self.text}" + ("" if self.value is None else f" (value {self.value:+.3f})")]
        lines += [f"  - {reason}" for reason in self.reasons]
        if any(a.worth() or a.note for a in self.alternatives):
            width = max(len(a.text) for a in self.alternatives)
            room = max(6, *(len(a.worth()) for a in self.alternatives))
            lines.append("  moves:")
            for a in ranked(self.alternatives)[:MOST_SHOWN]:
                line = " ".join(a.line[:8])
                lines.append(f"    {a.text:<{width}}  {a.worth():<{room}}  {a.note or line}".rstrip())
            if len(self.alternatives) > MOST_SHOWN:
                lines.append(f"    ... and {len(self.alternatives) - MOST_SHOWN} more")
        if self.belief:
            lines.append("  belief:")
            lines += [f"    {p:6.1%}  {what}" for what, p in self.belief[:MOST_SHOWN]]
            if len(self.belief) > MOST_SHOWN:
                rest = self.belief[MOST_SHOWN:]
                lines.append(f"    {sum(p for _, p in rest):6.1%}  ... {len(rest)} more together")
        return "\n".join(lines)


def ranked(alternatives: list[Alternative]) -> list[Alternative]:
    """Best first, or likeliest first where nothing is said of payoffs; those without either last."""

    def place(a: Alternative) -> tuple[bool, float, bool, float]:
        return a.value is None, -(a.value or 0.0), a.chance is None, -(a.chance or 0.0)

    return sorted(alternatives, key=place)

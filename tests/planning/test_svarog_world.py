"""Worlds: the tables of a specification against reckoning that shares nothing with them."""

import random
from collections import Counter
from itertools import product

import numpy as np
import pytest

from hiddenhand.core.errors import UserError
from hiddenhand.planning.language import read_text
from hiddenhand.planning.model.world_building import build_world, read_world
from hiddenhand.planning.worlds import world_file, worlds
from svarog_brute_force import Interpreter


@pytest.fixture(scope="module")
def dorban():
    return read_world(world_file("dorban"))


# --- Dorban ---


def test_dorban_has_the_published_counts(dorban):
    sizes = Counter(len(dorban.states_of(v)) for v in range(len(dorban.visible_states)))
    assert len(dorban.visible_states) == 360
    assert sizes == {0: 240, 1: 45, 4: 45, 8: 15, 32: 15}
    assert int(dorban.possible.sum()) == 120
    assert len(dorban.states) == 825
    assert len(dorban.actions) == 7
    assert int(dorban.legal[dorban.possible].sum()) == 330
    assert sum(2**k - 1 if 2**k - 1 <= 1024 else k for k in sizes.elements()) == 5025  # beliefs of granularity 2


def test_dorban_keeps_the_names_and_orders_of_the_original(dorban):
    assert dorban.values[:4] == ("false", "true", "none", "place_Warszawa")
    assert [a[0] for a in dorban.actions] == [
        "ask_pregor_to_follow_dorban", "attack_vampire", "goto_Warszawa", "goto_Krakow", "goto_Wroclaw",
        "goto_Gdansk", "goto_Poznan",
    ]  # fmt: skip
    assert dorban.visible_states[0] == ("false", "place_Warszawa", "false", "false", "false", "false")
    assert dorban.visible_states[1] == ("false", "place_Warszawa", "false", "false", "false", "true")
    assert dorban.visible_states[5] == ("false", "place_Warszawa", "false", "true", "false", "true")
    first = dorban.states_of(int(np.argmax(dorban.possible)))
    assert dorban.states[first[0]][1] == ("place_Krakow", "place_Krakow", "false")
    assert dorban.states[first[1]][1] == ("place_Krakow", "place_Krakow", "true")
    assert dorban.states[first[2]][1] == ("place_Krakow", "place_Wroclaw", "false")


TOWNS = ["Warszawa", "Krakow", "Wroclaw", "Gdansk", "Poznan"]
ROADS = {frozenset(r.split("-")) for r in
         ["Warszawa-Krakow", "Warszawa-Gdansk", "Warszawa-Poznan", "Krakow-Wroclaw", "Wroclaw-Poznan"]}  # fmt: skip


def appears(won, here, vampire, pregor, alive, follows):
    """What a state of the story looks like in the variables of the specification."""
    with_pregor = pregor == here
    words = {True: "true", False: "false", None: "none"}
    sees = (with_pregor, alive if with_pregor else None, vampire == here, follows)
    visible = (words[won], f"place_{here}", *(words[s] for s in sees))
    return visible, (f"place_{vampire}", f"place_{pregor}", words[alive])


def dorban_states():
    for won, here, vampire, pregor, alive, follows in product(
        (False, True, None), TOWNS, TOWNS, TOWNS, (False, True), (False, True)
    ):
        if not follows or (pregor == here and alive):
            yield won, here, vampire, pregor, alive, follows


def dorban_steps(state, action):
    """The rules of the story as told: None if the action is illegal, else {next state: probability}."""
    _, here, vampire, pregor, alive, follows = state
    if action.startswith("ask"):
        if pregor != here or not alive or follows:
            return None
        return {(None, here, vampire, pregor, True, True): 0.85, (None, here, vampire, pregor, True, False): 0.15}
    if action.startswith("attack"):
        if vampire != here:
            return None
        if not follows:
            return {(won, *state[1:]): p for won, p in ((True, 0.51), (False, 0.49))}
        return {
            (True, *state[1:]): 0.80,
            (False, here, vampire, pregor, True, False): 0.15,
            (False, here, vampire, pregor, False, False): 0.05,
        }
    town = action.removeprefix("goto_")
    if frozenset((here, town)) not in ROADS:
        return None
    return {(None, town, vampire, town if follows else pregor, alive, follows): 1.0}


def test_dorban_follows_the_rules_of_the_story(dorban):
    number = {}
    for state in dorban_states():
        visible, hidden = appears(*state)
        number[state] = dorban.state(dorban.visible(visible), hidden)
    assert sorted(number.values()) == list(range(825))
    for state, i in number.items():
        for a, (name,) in enumerate(dorban.actions):
            steps = dorban_steps(state, name)
            assert dorban.legal[dorban.visible_of[i], a] == (steps is not None)
            row = dorban.transitions[a]
            entries = slice(row.indptr[i], row.indptr[i + 1])
            found = dict(zip(row.indices[entries].tolist(), row.data[entries].tolist()))
            assert found == {number[after]: p for after, p in (steps or {}).items()}
        assert dorban.payoffs[dorban.visible_of[i]] == {True: 100.0, False: -100.0, None: 0.0}[state[0]]


def best(model, belief, depth):
    """The definition of planning, nothing remembered: the best value and the first action that reaches it."""
    values = []
    for action in model.legal_actions(belief):
        value = model.reward(belief, action)
        if depth > 1:
            for z in np.flatnonzero(model.chances(belief, action) > 0.0):
                after, chance = model.after(belief, action, int(z))
                value += chance * best(model, after, depth - 1)[0]
        values.append((value, action))
    top = max(values)[0]
    return top, next(a for v, a in values if v > top - 1e-9)


def test_dorban_has_the_published_values_at_depth_four(dorban):
    """Values of the file that the author of the language published."""
    model = dorban.pomdp()

    def belief(visible, *hidden):
        b = np.zeros(825)
        v = dorban.visible(visible)
        for h in hidden:
            b[dorban.state(v, h)] = 1.0 / len(hidden)
        return b

    together = ("none", "place_Warszawa", "true", "true", "true", "true")
    here, krakow, wroclaw = "place_Warszawa", "place_Krakow", "place_Wroclaw"
    alone = ("false", here, "false", "none", "false", "false")
    facing = ("false", here, "false", "none", "true", "false")
    for visible, hidden, action, value in [
        (together, [(here, here, "true")], "attack_vampire", 198.967),
        (alone, [(krakow, krakow, "false")], "goto_Krakow", 6.0),
        (alone, [(krakow, krakow, "true")], "goto_Krakow", 99.8350),
        (alone, [(wroclaw, krakow, "true")], "goto_Krakow", 51.3),
        (facing, [(here, krakow, "false"), (here, krakow, "true")], "goto_Krakow", 27.65),
        (facing, [(here, krakow, "false"), (here, krakow, "true"), (here, wroclaw, "false")], "goto_Krakow", 19.7667),
    ]:
        found, chosen = best(model, belief(visible, *hidden), 4)
        assert found == pytest.approx(value, rel=1e-5)
        assert dorban.actions[chosen] == (action,)


def test_steps_name_the_clause_that_allows_them(dorban):
    v = dorban.visible(("none", "place_Krakow", "true", "true", "true", "true"))
    after = dorban.visible(("false", "place_Krakow", "true", "false", "true", "false"))
    before = dorban.states_of(v)[0]
    row = dorban.transitions[1]
    causes = dict(zip(row[[before]].indices, dorban.causes[1][row.indptr[before] : row.indptr[before + 1]]))
    case, probability = dorban.clauses[causes[dorban.states_of(after)[0]]]
    assert (case.name, probability.name, probability.chance) == (
        "two against the vampire", "lost, and Pregor is dead", 0.05,
    )  # fmt: skip
    assert before not in causes


# --- the other worlds ---


def test_tiger_is_worth_what_is_published():
    """With discount 0.95 the classic problem is worth 19.371 (Cassandra's files; SARSOP: 19.3711 to 19.3721)."""
    tiger = read_world(world_file("tiger"))
    model = tiger.pomdp(0.95)
    assert model.start[list(tiger.states_of(tiger.visible(["silence"])))].tolist() == [0.5, 0.5]
    heard = tiger.visible(["growl_left"])
    after, chance = model.after(model.start, 0, heard)
    assert chance == pytest.approx(0.5)
    assert after[tiger.state(heard, ["left"])] == pytest.approx(0.85)

    # A belief is how many more growls came from the left: value iteration over these numbers alone.
    reach = 30
    values = np.zeros(2 * reach + 1)
    left = 0.85 ** np.arange(-reach, reach + 1) / (
        0.85 ** np.arange(-reach, reach + 1) + 0.15 ** np.arange(-reach, reach + 1)
    )

    def reward(action, visible):
        s = tiger.state(tiger.visible(["silence"]), [visible])
        return float(model.rewards[action, s])

    for _ in range(500):
        hear_left = left * 0.85 + (1 - left) * 0.15
        up, down = np.append(values[1:], values[-1]), np.append(values[0], values[:-1])
        listen = reward(0, "left") + 0.95 * (hear_left * up + (1 - hear_left) * down)
        opened = [left * reward(a, "left") + (1 - left) * reward(a, "right") + 0.95 * values[reach] for a in (1, 2)]
        values = np.maximum(listen, np.maximum(*opened))
    assert reward(1, "left") == -100.0
    assert reward(1, "right") == 10.0
    assert values[reach] == pytest.approx(19.371, abs=0.001)


def test_the_ferryman_needs_his_pole_and_his_voice():
    ferryman = read_world(world_file("ferryman"))
    assert len(ferryman.states) == 60
    assert np.allclose(ferryman.sums()[ferryman.legal[ferryman.visible_of].T], 1.0)
    model = ferryman.pomdp()

    def planned(without, depth):
        legal = model.legal.copy()
        legal[[ferryman.action([name]) for name in without]] = False
        limited = type(model)(**{**vars(model), "legal": legal})
        start = ferryman.uniform(ferryman.visible(("answer", "west", "empty")))
        return best(limited, start, depth)[0]

    freely = planned([], 4)
    assert freely > planned(["take_soundings"], 4) + 1.0
    start = ferryman.uniform(ferryman.visible(("quiet", "west", "empty")))
    assert best(model, start, 3)[1] == ferryman.action(["take_soundings"])


@pytest.mark.parametrize("name", sorted(worlds()))
def test_our_worlds_agree_with_the_interpreter(name):
    world = read_world(world_file(name))
    agree(world, Interpreter(world.specification), pairs=3000)


# --- any world ---


def agree(world, interpreter, pairs):
    """The tables and the interpreter say the same of every state, and of many (or all) pairs of them."""
    visible_states = interpreter.product(interpreter.inputs)
    hidden_states = interpreter.product(interpreter.hidden)
    assert [tuple(v.values()) for v in visible_states] == world.visible_states
    possible = [
        (i, tuple(h.values()))
        for i, v in enumerate(visible_states)
        for h in hidden_states
        if not interpreter.impossible({**v, **h})
    ]
    assert possible == world.states
    assert [interpreter.payoff(v) for v in visible_states] == world.payoffs.tolist()
    actions = interpreter.product(interpreter.outputs)
    assert [[interpreter.legal(v, a) for a in actions] for v in visible_states] == world.legal.tolist()

    whole = [{**v, **h} for v in visible_states for h in hidden_states]
    number = {key: s for s, key in enumerate(world.states)}
    full = len(whole)
    draw = random.Random(5)
    everything = len(world.states) * full * len(actions) <= pairs
    checked = (
        product(range(len(world.states)), range(full), range(len(actions)))
        if everything
        else (
            (draw.randrange(len(world.states)), draw.randrange(full), draw.randrange(len(actions)))
            for _ in range(pairs)
        )
    )
    lost = np.zeros_like(world.lost)
    tables = [t.toarray() for t in world.transitions]
    for s, t, a in checked:
        v, hidden = world.states[s]
        before = {**visible_states[v], **dict(zip((h.name for h in world.hidden), hidden))}
        chance = interpreter.chance(before, actions[a], whole[t]) if world.legal[v, a] else 0.0
        after = number.get((t // len(hidden_states), tuple(hidden_states[t % len(hidden_states)].values())))
        if after is not None:
            assert tables[a][s, after] == chance
        else:
            lost[a, s] += chance
    if everything:
        assert np.allclose(lost, world.lost)


def random_specification(draw):
    """A small world of random conditions: functions, brackets, cases that look ahead, variables left free."""
    values = ["p", "q", "r"]
    inputs, hidden = ["i", "j"][: draw.randint(1, 2)], ["h", "k"][: draw.randint(0, 2)]

    def domain():
        return ", ".join(draw.sample(values, draw.randint(1, 3)))

    def expression(when, variables, deep=0):
        kind = draw.randrange(8)
        if kind < 4 or deep > 2:
            return f"{draw.choice(when)} value {draw.choice(variables)}"
        if kind < 6:
            return draw.choice([*values, '"text"'])
        if kind == 6:
            return f"turned({expression(when, variables, deep + 1)})"
        function = draw.choice(["was", "outer"] if "terminal" not in when else ["was", "outer", "moved"])
        return f"{function}({draw.choice(variables)}, {expression(when, variables, deep + 1)})"

    def logical(when, variables, deep=0):
        kind = draw.randrange(9)
        if kind < 5 or deep > 2:
            return f"{expression(when, variables)} == {expression(when, variables)}"
        if kind == 5:
            return f"not {logical(when, variables, 3)}"
        word = draw.choice([" and ", " or "])
        joined = word.join(logical(when, variables, deep + 1) for _ in range(draw.randint(2, 3)))
        return f"({joined})" if kind == 6 else f"not ({joined})" if kind == 7 else joined

    def requires(when, variables, most):
        return " ".join(f"requires {logical(when, variables)};" for _ in range(draw.randint(0, most)))

    def pinned(variables):
        chosen = [v for v in variables if draw.random() < 0.7]
        return " ".join(
            f"requires terminal value {v} == {expression(['initial', 'terminal'], variables)};" for v in chosen
        )

    everything = inputs + hidden
    both = ["initial", "terminal"]
    text = ["values { value p, q; value r; value go, stay; }", "variables {"]
    text += [f"input variable {v}:{{{domain()}}};" for v in inputs]
    text += [f"hidden variable {v}:{{{domain()}}};" for v in hidden]
    text += ["output variable o:{go, stay};", "}", "knowledge {"]
    text += [
        "function turned(value x) { if (x == p) { return q; } if (x == q) { return p; } }",
        "function was(variable v, value x) { if (initial value v == x) { return x; } return v; }",
        "function moved(variable v, value x) { if (initial value v == terminal value v) { return p; } return x; }",
        "function outer(variable v, value x) { return inner(r); }",
        "function inner(value y) { if (initial value v == x or x == y) { return x; } return turned(y); }",
    ]
    text += [
        f'impossible "{n}" {{ requires {logical(["initial"], everything)}; {requires(["initial"], everything, 1)} }}'
        for n in range(draw.randint(0, 2))
    ]
    text += [
        f'payoff "{n}":{draw.randint(-9, 9)}.5 {{ {requires(["initial"], inputs, 2)} }}'
        for n in range(draw.randint(0, 3))
    ]
    for action in ["go", "stay", "go"][: draw.randint(1, 3)]:
        text.append(f"action {{o=>{action}}}:{{")
        for n in range(draw.randint(0, 3)):
            if draw.random() < 0.2:
                text.append(f'case "{n}" {{ requires {logical(["initial"], inputs)}; illegal; }}')
                continue
            when = both if draw.random() < 0.3 else ["initial"]
            text.append(f'case "{n}" {{ {requires(when, everything, 2)}')
            for m in range(draw.randint(0, 3)):
                text.append(f'probability "{m}":0.{draw.randint(0, 9)} {{')
                text.append(f"{pinned(everything)} {requires(both, everything, 2) if draw.random() < 0.4 else ''} }}")
            text.append("}")
        text.append("}")
    return "\n".join([*text, "}"])


def test_random_worlds_agree_with_the_interpreter():
    built = 0
    kinds = Counter()
    for seed in range(200):
        specification = read_text(random_specification(random.Random(seed)))
        interpreter = Interpreter(specification)
        states = interpreter.product(interpreter.inputs + interpreter.hidden)
        if all(interpreter.impossible(state) for state in states):
            with pytest.raises(UserError, match="every state is impossible"):
                build_world(specification)
            continue
        world = build_world(specification)
        built += 1
        agree(world, interpreter, pairs=20_000)
        kinds.update(
            lost=bool(world.lost.any()), illegal=not world.legal.all(), steps=any(t.nnz for t in world.transitions)
        )
    assert built > 100
    assert kinds["lost"] > 10
    assert kinds["illegal"] > 10
    assert kinds["steps"] > 40


# --- rules of the language, one by one ---

LAMP = """values { value off, lit; value press, wait; }
variables { input variable lamp:{off, lit}; hidden variable bulb:{off, lit}; output variable deed:{press, wait}; }
knowledge { """
KEPT = """ action {deed=>wait}:{ case "" { probability "":1.0 {
    requires terminal value lamp == initial value lamp; requires terminal value bulb == initial value bulb; } } }"""


def lamp(knowledge):
    return build_world(read_text(LAMP + knowledge + " }", "lamp"))


def test_the_last_payoff_that_matches_counts():
    world = lamp('payoff "a":1.0 {} payoff "b":2.0 { requires initial value lamp == lit; } payoff "c":3.0 { requires '
                 'initial value lamp == off; } payoff "d":4.0 { requires initial value lamp == off; }')  # fmt: skip
    assert world.payoffs.tolist() == [4.0, 2.0]


def test_the_first_case_that_holds_decides_alone():
    off = "requires terminal value lamp == off; requires terminal value bulb == off;"
    first = 'case "a" { requires initial value lamp == off; }'
    world = lamp(f'action {{deed=>press}}:{{ {first} case "b" {{ probability "":1.0 {{ {off} }} }} }}')
    assert world.transitions[0].toarray().tolist() == [[0.0] * 4] * 2 + [[1.0, 0.0, 0.0, 0.0]] * 2


def test_what_no_condition_mentions_is_free():
    world = lamp('action {deed=>press}:{ case "" { probability "":0.5 { requires terminal value lamp == lit; } } }')
    assert world.transitions[0].toarray().tolist() == [[0.0, 0.0, 0.5, 0.5]] * 4


def test_probability_of_impossible_states_is_kept_apart():
    world = lamp('impossible "" { requires initial value lamp == lit; requires initial value bulb == off; } '
                 'action {deed=>press}:{ case "" { probability "":0.5 { requires terminal value lamp == lit; } } }'
                 + KEPT)  # fmt: skip
    assert len(world.states) == 3
    assert world.lost[0].tolist() == [0.5] * 3
    assert world.sums()[0].tolist() == [1.0] * 3
    with pytest.raises(UserError, match=r"lamp: .*deed=>press.* sum to 1, 0.5 of it sent to impossible states"):
        world.pomdp()


def test_rows_that_do_not_sum_to_one_are_refused():
    world = lamp(
        'action {deed=>press}:{ case "" { probability "":0.6 { requires terminal value lamp == lit; } } }' + KEPT
    )
    with pytest.raises(UserError, match=r"in state \{lamp=>off, bulb=>off\} sum to 1.2, not to 1 \(and so in 4 rows"):
        world.pomdp()


def test_a_function_without_an_end_is_an_error():
    with pytest.raises(UserError, match=r'lamp:3:\d+: the function "f" calls itself more than 40 times'):
        lamp('function f(value x) { return f(x); } payoff "":1.0 { requires f(off) == off; }')
    with pytest.raises(UserError, match="lamp: every state is impossible"):
        lamp('impossible "" { }')


def test_a_function_that_ends_by_itself_may_call_itself():
    world = lamp('function f(value x) { if (x == off) { return lit; } return f(off); } payoff "":1.0 { requires '
                 "f(initial value lamp) == lit; }")  # fmt: skip
    assert world.payoffs.tolist() == [1.0, 1.0]


def test_names_are_checked():
    world = lamp(KEPT)
    assert world.visible({"lamp": "lit"}) == 1
    assert world.state(1, ["off"]) == 2
    with pytest.raises(UserError, match="lamp has no value 'lid' \\(did you mean lit\\?\\); it has: off, lit"):
        world.visible(["lid"])
    with pytest.raises(UserError, match="a visible state has no variable 'lam' \\(did you mean lamp\\?\\)"):
        world.visible({"lam": "lit"})
    with pytest.raises(UserError, match="a hidden state has 1 values"):
        world.state(0, ["off", "off"])
    with pytest.raises(UserError, match="missing: deed"):
        world.action({})


def test_what_cannot_occur_is_not_written_down():
    """Twelve variables of five values, 244 million states in the product, 5 of them possible."""
    names = [f"h{i}" for i in range(12)]
    domain = "{a, b, c, d, e}"
    text = [
        "values { value a, b, c, d, e; }",
        "variables {",
        f"input variable i:{domain}; output variable o:{domain};",
    ]
    text += [f"hidden variable {name}:{domain};" for name in names]
    text += ["} knowledge {"]
    for name, other in zip(names, ["i", *names]):
        text.append(f'impossible "" {{ requires not initial value {name} == initial value {other}; }}')
    for action in "abcde":
        text.append(f'action {{o=>{action}}}:{{ case "" {{ probability "":1.0 {{')
        text += [f"requires terminal value {name} == {action};" for name in ["i", *names]]
        text.append("} } }")
    world = build_world(read_text("\n".join([*text, "}"])))
    assert len(world.states) == 5
    for a in range(5):
        assert np.array_equal(world.transitions[a].toarray(), np.eye(5)[[a] * 5])

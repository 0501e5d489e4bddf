"""Files of a user's own, as somebody outside the package writes them."""

NIM = '''"""Nim: take any number of matches from one heap; whoever takes the last match wins."""

from hiddenhand.author import OVER, define, record_type, rule

STATE = record_type([("matches", "i8", (3,)), ("mover", "i8")])


@rule
def deal(s, rng):
    for heap in range(3):
        s.matches[heap] = heap + 1
    s.mover = 0


@rule
def turn(s):
    for heap in range(3):
        if s.matches[heap] > 0:
            return s.mover
    return OVER


@rule
def legal(s, out):
    n = 0
    for heap in range(3):
        for taken in range(1, s.matches[heap] + 1):
            out[n] = heap * 3 + taken - 1
            n += 1
    return n


@rule
def play(s, action, rng):
    s.matches[action // 3] -= action % 3 + 1
    s.mover = 1 - s.mover


@rule
def payoff(s, out):
    out[s.mover] = -1.0
    out[1 - s.mover] = 1.0


def action_name(s, action):
    return f"{'abc'[action // 3]}{action % 3 + 1}"


GAME = define(
    "nim",
    title="Nim",
    about=__doc__,
    state=STATE,
    rules=(deal, turn, legal, play, payoff),
    people=(action_name,),
    most_actions=6,
    longest=6,
)
'''

AGENTS = '''"""Two agents for any game."""

from hiddenhand.author import Agent, Alternative, Decision, Setting, policy


class Clever(Agent):
    """Takes the action at a certain place."""

    summary = "takes the first action, or a later one"
    settings = {"place": Setting(0, "which action", low=0, high=9)}

    def decide(self, view):
        action = view.legal_actions()[min(self.place, len(view.legal_actions()) - 1)]
        return Decision(action, view.action_name(action), reasons=[f"It stands at place {self.place}."])


@policy("takes the last action")
def last(view, seat, actions, memory, parameters, rng):
    return actions[len(actions) - 1]


@last.explains
def why(view, action, parameters):
    return ["It is the last one."]
'''

ONE_AGENT = """from hiddenhand.author import Agent, Decision


class Only(Agent):
    def decide(self, view):
        return Decision(view.legal_actions()[0])
"""

TIGER = """# The tiger of Cassandra, Kaelbling and Littman.
discount: 0.95
values: reward
states: tiger-left tiger-right
actions: listen open-left open-right
observations: hear-left hear-right
start: uniform
T: listen identity
T: open-left uniform
T: open-right uniform
O: listen : tiger-left 0.85 0.15
O: listen : tiger-right 0.15 0.85
O: open-left uniform
O: open-right uniform
R: listen : * : * : * -1
R: open-left : tiger-left : * : * -100
R: open-left : tiger-right : * : * 10
R: open-right : tiger-left : * : * 10
R: open-right : tiger-right : * : * -100
"""

TREE = "(max (min 3 12 8) (min 2 4 6) (min 14 5 2))\n"


def write_own_files(folder):
    """A game of each kind and some agents."""
    from hiddenhand.planning.worlds import world_file

    (folder / "nim.py").write_text(NIM)
    (folder / "agents.py").write_text(AGENTS)
    (folder / "only.py").write_text(ONE_AGENT)
    (folder / "model.pomdp").write_text(TIGER)
    (folder / "lecture.tree").write_text(TREE)
    (folder / "world.svarog").write_bytes(world_file("tiger").read_bytes())
    return folder

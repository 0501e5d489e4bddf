"""reproduce snaps: its numbers, its page, and an opening lead that can be broken off."""

from dataclasses import replace

import pytest

from hiddenhand.core.errors import UserError
from hiddenhand.lab.runner import Interrupted, Running
from hiddenhand.lab.store import Store
from hiddenhand.studies import ReproductionPlan, reproduce
from hiddenhand.studies.snaps import acquaintance
from hiddenhand.studies.snaps import reproduction as snaps
from hiddenhand.studies.snaps.losses import ROLES, LossesPlan, lost_wins
from hiddenhand.studies.snaps.opening_lead import average_opening_lead

DEALS = 6000


@pytest.fixture
def small(monkeypatch):
    """Little of everything."""
    monkeypatch.setattr(snaps, "LEADS", 100)
    monkeypatch.setattr(acquaintance, "SEEN", (0, 2))
    monkeypatch.setattr(snaps, "TEACHER", "rules")
    monkeypatch.setattr(snaps, "AGENTS", ("rules", "random"))
    monkeypatch.setattr(snaps, "HONEST", ("rules",))
    monkeypatch.setattr(snaps, "learning_curves", lambda leads: {"the hand": [0.25, 0.5]})
    monkeypatch.setattr(snaps, "curve_rows", lambda curves: [["games observed", *curves], ["10", "25 %"]])


def test_the_numbers_of_the_thesis():
    ours = {row[0]: row[2] for row in snaps.worked_numbers()}
    assert ours["deals that a player cannot tell apart"] == "17,153,136"
    assert ours["6.1.3: jack and ace after 5 rounds"] == "0.9133, 0.2333"
    assert ours["6.1.1: player 2's ace then"] == "0.6572"


def test_one_page_holds_everything(small, tmp_path):
    seen = []
    running = Running(progress=lambda now, all: seen.append(now))
    done = reproduce.run(ReproductionPlan("snaps", games=8, opening=DEALS), replace(running, output=str(tmp_path)))
    page = (tmp_path / "snaps.html").read_text(encoding="utf-8")
    assert len(done.parts) == 7
    assert all(title in page for title in done.parts)
    assert page.count("<img") == 3
    assert seen == sorted(seen)
    assert "295 days" in str(done)
    assert f"{DEALS:,} of 17,153,136 deals" in str(done)


def test_one_part_alone(small, tmp_path):
    done = reproduce.run(
        ReproductionPlan("snaps", games=8, part="where agents"), replace(Running(), output=str(tmp_path))
    )
    assert list(done.parts) == ["Where agents lose: deals among themselves, judged with open cards"]
    with pytest.raises(UserError, match="no part of the reproduction begins with 'nothing'; there is: The numbers"):
        reproduce.run(ReproductionPlan("snaps", part="nothing"), replace(Running(), output=str(tmp_path)))


def test_who_sees_all_cards_throws_no_win():
    """And the rules throw some, most of them early; the shares are those of the deals counted one by one."""
    found = lost_wins(LossesPlan(("cheater", "rules"), deals=60, seed=2))
    cheater, rules = found.counts["cheater"], found.counts["rules"]
    assert cheater["deals"] == rules["deals"] == 60
    assert cheater["thrown"] == cheater["attack lost"] == cheater["defence lost"] == 0 < cheater["matter"]
    assert 0 < rules["deals thrown"] <= rules["thrown"] < rules["matter"]
    assert rules["attack"] + rules["defence"] == 60
    assert sum(rules[f"thrown in trick {trick}"] for trick in range(1, 7)) == rules["thrown"]
    assert sum(rules[f"thrown by {role}"] for role in ROLES) == rules["thrown"]
    assert "deals with a thrown win" in str(found)


def test_an_opening_lead_goes_on_where_it_was_broken_off(own_store):
    whole = average_opening_lead(Running(), most=DEALS)
    assert whole.done == DEALS
    assert len(whole.names) == len(whole.means) == 6

    def stop(done, wanted):
        if done >= 4000:
            raise KeyboardInterrupt

    counted = []
    with Store(str(own_store)) as store:
        with pytest.raises(KeyboardInterrupt):
            average_opening_lead(Running(store, progress=stop), most=DEALS)
        running = Running(store, resume=True, progress=lambda done, wanted: counted.append(done))
        again = average_opening_lead(running, most=DEALS)
    assert counted == [4000, DEALS], "the first 4,000 deals are not solved again"
    assert (again.sums, again.won) == (whole.sums, whole.won)


def test_ctrl_c_keeps_the_parts_that_are_done(small, tmp_path, monkeypatch, own_store):
    def stop(*anything, **more):
        raise KeyboardInterrupt

    with Store(str(own_store)) as store:
        with monkeypatch.context() as patch:
            patch.setattr(snaps, "tournament", stop)
            with pytest.raises(Interrupted) as stopped:
                reproduce.run(
                    ReproductionPlan("snaps", games=8, opening=DEALS), replace(Running(store), output=str(tmp_path))
                )
        assert len(stopped.value.result.parts) == 4
        assert (tmp_path / "snaps.html").is_file()
        with monkeypatch.context() as patch:
            patch.setattr(snaps, "calibrate", stop)
            done = reproduce.run(
                ReproductionPlan("snaps", games=8, opening=DEALS),
                replace(Running(store, resume=True), output=str(tmp_path)),
            )
        assert len(done.parts) == 7

"""Knowledge files: the original's text to the letter, the compact form, and files that are not right."""

from dataclasses import replace

import numpy as np
import pytest

from hiddenhand.core.errors import UserError
from hiddenhand.planning.language import printing, read_text
from hiddenhand.planning.model.world_building import build_world, read_world
from hiddenhand.planning.planners import knowledge_files as knowledge_file
from hiddenhand.planning.planners.knowledge import Knowledge, merge, precalculate
from hiddenhand.planning.planners.knowledge_files import DIGITS, from_bytes, from_text, to_bytes, to_tree
from hiddenhand.planning.worlds import world_file


@pytest.fixture(scope="module")
def dorban():
    return read_world(world_file("dorban"))


@pytest.fixture(scope="module")
def knowledge(dorban):
    return precalculate(dorban, 4, 2)


@pytest.fixture(scope="module")
def tiger():
    return read_world(world_file("tiger"))


@pytest.fixture(scope="module")
def small(tiger):
    return precalculate(tiger, 3, 3)


# --- text ---


def section_text(world, knowledge):
    """The section alone, as `precalculate` of the original prints it."""
    return "\n".join(printing.precalculated(to_tree(world, knowledge), DIGITS)) + "\n"


def test_the_text_of_the_original(dorban, knowledge):
    text = section_text(dorban, knowledge)
    assert text.startswith(
        "precalculated (4,2)\n{\n"
        "on visible state ({has_dorban_won_a_fight=>false ,where_is_dorban=>place_Warszawa ,"
        "can_dorban_see_pregor=>false ,can_dorban_see_pregor_is_alive=>none ,can_dorban_see_vampire=>false ,"
        "is_pregor_following_dorban=>false })\n\t{\n"
        "amount_of_possible_states = 32.0000;\nmax_amount_of_beliefs = 4.29497e+09;\ntoo complex;\n"
        "on belief ({\n"
        "case {where_is_vampire=>place_Krakow ,where_is_pregor=>place_Krakow ,is_pregor_alive=>false }:1.00000;\n"
        "}\n)\n\t\t{\n\t\taction {optimal_action=>goto_Krakow } :    6.00000;\n\t\t}\n"
    )
    assert text.count("action {optimal_action=>attack_vampire } :    198.967;") == 15
    assert text.count("on visible state") == 120
    assert text.count("on belief") == text.count("action {") == 5025
    assert text.count("too complex;") == 15
    assert ":0.333333;" in text
    assert ":0.142857;" in text


def test_a_whole_file_is_read_back(tmp_path, dorban, knowledge):
    path = tmp_path / "dorban.svarog"
    knowledge_file.write(path, dorban, knowledge)
    (found,) = knowledge_file.read(path, dorban)
    assert (found.depth, found.granularity, list(found.blocks)) == (4, 2, list(knowledge.blocks))
    for block, original in zip(found, knowledge):
        assert np.array_equal(block.beliefs, original.beliefs)  # 0.333333 is a third again
        assert np.array_equal(block.actions, original.actions)
        assert block.values == pytest.approx(original.values, rel=1e-5)
    again = read_world(path)  # the file is a specification of the same world
    assert len(again.states) == 825
    assert section_text(again, found) == section_text(dorban, knowledge)


def test_a_section_alone_is_read_back(tiger, small):
    text = "# knowledge of the tiger\n" + section_text(tiger, small)
    (found,) = from_text(tiger, text)
    assert section_text(tiger, found) == section_text(tiger, small)
    assert from_text(tiger, "precalculated (3,3) { }") == [Knowledge(3, 3, {})]


def test_new_knowledge_takes_the_place_of_old(tmp_path, tiger, small):
    path = tmp_path / "tiger.svarog"
    knowledge_file.write(path, tiger, small)
    with_old = read_world(path)
    knowledge_file.write(path, with_old, precalculate(with_old, 3, 3))
    assert [(k.depth, k.granularity) for k in knowledge_file.read(path, tiger)] == [(3, 3)]
    knowledge_file.write(path, read_world(path), precalculate(tiger, 5, 2))
    assert [(k.depth, k.granularity) for k in knowledge_file.read(path, tiger)] == [(3, 3), (5, 2)]


def test_mistakes_in_a_text_are_named_with_their_line(tiger, small):
    text = section_text(tiger, small)
    lines = text.splitlines()
    number = next(i for i, line in enumerate(lines) if "tiger=>right" in line)
    broken = "\n".join([*lines[:number], lines[number].replace("right", "middle"), *lines[number + 1 :]])
    with pytest.raises(UserError, match=rf'^x:{number + 1}:.*has no value "middle"'):
        from_text(tiger, broken, "x")
    with pytest.raises(UserError, match=r"^x:3:.*has 3 possible states here, but 2 in tiger"):
        from_text(tiger, text.replace("amount_of_possible_states = 2", "amount_of_possible_states = 3", 1), "x")
    with pytest.raises(UserError, match=r"^x:\d+:\d+: expected"):
        from_text(tiger, text[: len(text) // 2], "x")


def test_a_state_that_is_impossible_is_named(dorban, knowledge):
    text = section_text(dorban, knowledge)
    text = text.replace("where_is_vampire=>place_Krakow", "where_is_vampire=>place_Warszawa", 1)
    with pytest.raises(UserError, match=r"^x:9:.*where_is_vampire=>place_Warszawa.* is impossible where"):
        from_text(dorban, text, "x")


# --- compact ---


def test_the_compact_form_is_small_and_exact(tmp_path, dorban, knowledge):
    path = tmp_path / "dorban.knowledge"
    knowledge_file.write(path, dorban, knowledge, compact=True)
    assert path.stat().st_size < 100_000
    assert knowledge_file.read(path, dorban) == [knowledge]


def test_halves_merge_through_both_forms(tmp_path, dorban, knowledge):
    visible = list(knowledge.blocks)
    halves = [Knowledge(4, 2, {v: knowledge.blocks[v] for v in part}) for part in (visible[:50], visible[50:])]
    for compact in (False, True):
        read = []
        for i, half in enumerate(halves):
            knowledge_file.write(tmp_path / str(i), dorban, half, compact)
            read += knowledge_file.read(tmp_path / str(i), dorban)
        assert section_text(dorban, merge(read[1], read[0])) == section_text(dorban, knowledge)
    assert merge(read[1], read[0]) == knowledge


def test_beliefs_that_no_grid_has_are_kept(tiger, small):
    first, *rest = small
    odd = replace(
        first, beliefs=np.array([[0.25, 0.75], [0.9, 0.1]]), actions=first.actions[:2], values=first.values[:2]
    )
    mixed = Knowledge(3, 3, {block.visible: block for block in (odd, *rest)})
    assert from_bytes(tiger, to_bytes(tiger, mixed)) == mixed
    (read,) = from_text(tiger, section_text(tiger, mixed))
    assert read.blocks[odd.visible].beliefs == pytest.approx(odd.beliefs)
    assert from_bytes(tiger, to_bytes(tiger, Knowledge(3, 3, {}))) == Knowledge(3, 3, {})


def test_knowledge_of_another_world_is_refused(tiger, small):
    text = world_file("tiger").read_text()
    changed = build_world(read_text(text.replace("0.85", "0.80").replace("0.15", "0.20")))
    with pytest.raises(UserError, match="made for another world"):
        from_bytes(changed, to_bytes(tiger, small))
    again = build_world(read_text("# a comment changes nothing\n" + text))
    assert from_bytes(again, to_bytes(tiger, small)) == small


def test_damaged_files_are_refused(tmp_path, tiger, small):
    whole = to_bytes(tiger, small)
    rng = np.random.default_rng(1)
    answers = []
    for _ in range(200):
        damaged = bytearray(whole)
        for place in rng.integers(2, len(damaged), 3):
            damaged[place] ^= int(rng.integers(1, 256))
        damaged = damaged[: int(rng.integers(len(damaged) // 2, len(damaged) + 1))]
        try:
            assert from_bytes(tiger, bytes(damaged)) == small  # where it does no harm
        except UserError as error:
            answers.append(str(error))
    assert len(answers) > 150
    assert all("damaged" in answer or "another world" in answer or "version" in answer for answer in answers)
    path = tmp_path / "x"
    path.write_bytes(b"\xff\xfe\0 rubbish")
    with pytest.raises(UserError, match="is not a text file"):
        knowledge_file.read(path, tiger)
    with pytest.raises(UserError, match="cannot be read"):
        knowledge_file.read(tmp_path / "nothing", tiger)
    with pytest.raises(UserError, match="cannot be written"):
        knowledge_file.write(tmp_path / "no" / "folder", tiger, small)

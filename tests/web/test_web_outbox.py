"""Outboxes: pages that do not read cost little, and nobody else anything."""

import asyncio
import json
import time
from contextlib import ExitStack, suppress

import pytest
from websockets.exceptions import ConnectionClosed

from hiddenhand.web.security.limits import Limits, Rate
from hiddenhand.web.tables.outbox import Outbox, Outboxes
from web_server import serving

FEW = Limits(outbox=5, outbox_size=10_000, outboxes_size=25_000)
FREE = Rate(1e6, 1e6)


def test_a_page_may_be_behind_by_so_many_messages_and_bytes():
    box = Outbox(Outboxes(FEW))
    for _ in range(5):
        box.put("short")
    assert not box.overflown.is_set()
    box.put("short")
    assert box.overflown.is_set()
    assert (box.size, box.others.size, len(box.texts)) == (0, 0, 0)
    box.put("short")  # nobody reads it any more
    assert box.others.size == 0
    box = Outbox(Outboxes(FEW))
    box.put("x" * 14_000)  # one may be as long as it needs
    box.put("x" * 8_000)
    assert not box.overflown.is_set()
    box.put("x" * 8_000)
    assert box.overflown.is_set()


def test_whoever_is_furthest_behind_goes_first():
    """Not whoever has the most to read, for that may have come this very moment."""
    boxes = Outboxes(FEW)
    slowest, slower, quick = (Outbox(boxes) for _ in range(3))
    for box, size in ((slowest, 6_000), (slower, 8_000), (quick, 10_000)):
        box.put("x" * size)
        time.sleep(0.001)
    assert boxes.size == slowest.size + slower.size + quick.size > 24_000
    quick.put("x" * 5_000)
    assert [box.overflown.is_set() for box in (slowest, slower, quick)] == [True, False, False]
    assert boxes.size == slower.size + quick.size < 25_000


def test_what_has_been_sent_counts_no_more():
    async def story():
        box, sent = Outbox(Outboxes(FEW)), []

        async def send(text):
            await asyncio.sleep(0)
            sent.append(text)

        sending = asyncio.create_task(box.send_all(send))
        for number in range(100):
            box.put(str(number) * 100)
            if number % 3 == 0:
                await asyncio.sleep(0.005)
        await asyncio.sleep(0.05)
        assert sent == [str(number) * 100 for number in range(100)]
        assert box.size == box.others.size == 0
        box.put("x")
        box.let_go()
        await asyncio.sleep(0.01)
        assert box.others.size == 0
        sending.cancel()
        with suppress(asyncio.CancelledError):
            await sending

    asyncio.run(story())


def test_a_long_text_of_an_agent_is_not_told_to_everybody(tmp_path):
    record = {"format": "hiddenhand record", "game": "tictactoe", "version": 1, "options": {}, "seed": 1}
    long = "random:" + "x" * 500_000
    with serving(tmp_path) as site:
        kept = site.post("/api/records", **record, actions=[0], agents=[long, "random:" + "x" * 3000])
        with site.page({"table": kept["table"]}, "") as page:
            page.hear("frame")
            assert max(len(json.dumps(message)) for message in page.sent) < 10_000
        made = site.table("dominion", "me menu:" + ",".join(["Silver"] * 250))
        assert len(json.dumps(made)) < 5_000
        assert made["seats"][1]["name"] == "menu"


@pytest.mark.parametrize(("bound", "most"), [("outbox_size", 600_000), ("outboxes_size", 2_000_000)])
def test_pages_that_do_not_read(tmp_path, monkeypatch, bound, most):
    """They are let go before they cost much; a page that reads goes on."""
    limits = Limits(**{"messages": FREE, "requests": FREE, "outbox": 10**6, bound: most})
    with serving(tmp_path, limits) as site, ExitStack() as stack:
        made = site.table("tictactoe", "me me")
        tables = site.app.state.tables
        live = tables.live_tables[made["table"]]
        frame_for = live.frame_for
        monkeypatch.setattr(
            live, "frame_for", lambda viewer: frame_for(viewer).model_copy(update={"open_text": "x" * 200_000})
        )
        lazy = [stack.enter_context(site.page(max_queue=1, close_timeout=0.2)) for _ in range(4)]
        boxes, largest, end = list(tables.outboxes.boxes), 0, time.monotonic() + 600
        while not any(box.overflown.is_set() for box in boxes):
            assert time.monotonic() < end, "nobody was let go"
            for page in lazy:
                page.table = made["table"]
                with suppress(ConnectionClosed, OSError):
                    page.join()
            largest = max(largest, *(box.size for box in boxes))
        assert largest <= most + 210_000
        while len(live.clients) == len(lazy):
            assert time.monotonic() < end, "nobody has left"
            time.sleep(0.05)
        with site.page(made) as page:
            page.play(page.my_turn())
            assert page.my_turn()["ply"] == 1

"""The table in the browser: `serve`."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Annotated, Any

import typer

from hiddenhand.core.errors import UserError
from hiddenhand.core.files import data_folder

Host = Annotated[str, typer.Option("--host", metavar="ADDRESS", help="Where to listen; other machines need 0.0.0.0.")]
Port = Annotated[int, typer.Option("--port", "-p", metavar="N", min=0, max=65535, help="0: any free one.")]
Data = Annotated[Path | None, typer.Option("--data", metavar="DIR", help="Where tables are kept.")]
Gallery = Annotated[
    Path | None, typer.Option("--gallery", metavar="DIR", help="Figures and reports to show, such as `reproduced`.")
]
Names = Annotated[
    list[str] | None, typer.Option("--name", metavar="HOST", help="A name by which others reach this machine.")
]
Allow = Annotated[
    list[Path] | None,
    typer.Option(
        "--allow", metavar="FOLDER", help="Open games and agents from files in this folder, for everybody; repeat it."
    ),
]
Bring = Annotated[
    str,
    typer.Option(
        "--bring",
        metavar="KINDS",
        help="What visitors may bring, separated by commas: svarog, pomdp, tree, menu, record, hanab.live; or none. "
        "Nothing in these is run.",
    ),
]
USUAL_PORT = 8000
"""If it is taken, the next free one after it."""

Browser = Annotated[bool, typer.Option("--open-browser/--no-browser", help="Open the page.")]


def serve(
    host: Host = "127.0.0.1",
    port: Port = USUAL_PORT,
    data: Data = None,
    gallery: Gallery = None,
    name: Names = None,
    allow: Allow = None,
    bring: Bring = "svarog,pomdp,tree,menu,record,hanab.live",
    browser: Browser = True,
) -> None:
    """Serve the page on which everything can be played, watched, replayed and questioned."""
    from hiddenhand.kernel.rule import Mode, in_mode
    from hiddenhand.web.app import create_app
    from hiddenhand.web.security.limits import Limits
    from hiddenhand.web.serving import listen, server_for
    from hiddenhand.web.uploads.kinds import read_kinds

    if gallery is not None and not gallery.is_dir():
        raise UserError("there is no folder {name}", name=gallery)
    limits, kinds = Limits(), read_kinds(bring)
    with in_mode(Mode.PLAIN_UNTIL_COMPILED):  # tables start at once, and are compiled in the background
        tables = data or data_folder() / "tables"
        app = create_app(tables, gallery, limits, tuple(name or ()), allow or (), kinds)
        listener = listen(host, range(port, port + 10) if port == USUAL_PORT else [port])
        shown = host if host not in ("0.0.0.0", "::") else "localhost"
        address = f"http://{f'[{shown}]' if ':' in shown else shown}:{listener.getsockname()[1]}/"
        server = server_for(app, limits)
        threading.Thread(target=announce, args=(server, address, browser), daemon=True).start()
        server.run(sockets=[listener])
    if not server.started:
        raise typer.Exit(1)


def announce(server: Any, address: str, browser: bool) -> None:
    """Once the server is ready, say where it is, and open the page."""
    while not server.started:
        if server.should_exit:
            return
        time.sleep(0.05)
    print(f"hiddenhand is at {address} (Ctrl-C stops it)", flush=True)
    if browser:
        import webbrowser

        webbrowser.open(address)


def register(app: typer.Typer) -> None:
    app.command()(serve)

"""The site of the documentation (mkdocs.yml): pages that lie beside the README are pages of the site too.

Links are written so that they work as plain Markdown, from file to file of the repository. On the site these files
have other places: here links to them, and theirs into docs/, are turned round. A link to the guide of a game, which
comes with the package, becomes the guide itself.
"""

import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[1]
ON_THE_SITE = {
    "README.md": "tour.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "LICENSE": "licence.md",
}

GUIDE = re.compile(r"^\[[^\]]*\]\((?:\.\./)+(?P<guide>src/hiddenhand/guides/[\w/]+\.md)\)$", re.MULTILINE)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    for name, place in ON_THE_SITE.items():
        files.append(File.generated(config, place, content=_from_the_root((ROOT / name).read_text(encoding="utf-8"))))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    markdown = GUIDE.sub(lambda link: (ROOT / link["guide"]).read_text(encoding="utf-8"), markdown)
    up = "../" * page.file.src_uri.count("/")
    for name, place in ON_THE_SITE.items():
        markdown = re.sub(rf"\]\({re.escape(up)}\.\./{re.escape(name)}(#[^)]*)?\)", rf"]({up}{place}\1)", markdown)
    return markdown


def _from_the_root(text: str) -> str:
    for name, place in ON_THE_SITE.items():
        text = re.sub(rf"\]\({re.escape(name)}(#[^)]*)?\)", rf"]({place}\1)", text)
    return text.replace("](docs/", "](")

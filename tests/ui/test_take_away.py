"""The map as a picture, in a real browser: what the page shows, in its colours, as a file."""

from __future__ import annotations

import base64
import re
import struct
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

NEAR = 2  # of 255: a browser rounds a mixed colour in another place
COLOURS = """() => {
    const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    return [...document.querySelectorAll(".mg-map-rect")].map((rect) => {
        pen.fillStyle = getComputedStyle(rect).fill;
        pen.fillRect(0, 0, 1, 1);
        return [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3);
    });
}"""
PIXELS = """async (address) => {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.width, image.height];
    const pen = canvas.getContext("2d");
    pen.drawImage(image, 0, 0);
    const { data } = pen.getImageData(0, 0, image.width, image.height);
    const seen = new Set();
    for (let at = 0; at < data.length; at += 4) seen.add(data.slice(at, at + 3).join());
    return { corner: [...data.slice(0, 3)], colours: seen.size };
}"""


def _file(page: Any, name: str, folder: Path) -> bytes:
    with page.expect_download() as given:
        page.locator(".mg-take").get_by_role("button", name=name).click()
    path = folder / given.value.suggested_filename
    given.value.save_as(path)
    content: bytes = path.read_bytes()
    return content


@pytest.mark.parametrize("dark", [False, True])
def test_the_picture_is_the_map_in_its_colours(open_page: Any, tmp_path: Path, dark: bool) -> None:
    page = open_page("?lang=en", dark=dark, accept_downloads=True)
    page.locator(".mg-take > summary").click()
    content = _file(page, "Map as SVG", tmp_path)
    root = ElementTree.fromstring(content)
    written = {
        tuple(bytes.fromhex(found)) for found in re.findall(r'fill="#(\w{6})"', content.decode())
    }
    shown = {tuple(colour) for colour in page.evaluate(COLOURS)}
    assert len(shown) > 30
    for colour in shown:
        assert any(_is_near(colour, other) for other in written), colour

    png = _file(page, "Map as PNG", tmp_path)
    size = tuple(2 * int(root.attrib[side]) for side in ("width", "height"))
    assert struct.unpack(">II", png[16:24]) == size
    address = f"data:image/png;base64,{base64.b64encode(png).decode()}"
    seen = page.evaluate(PIXELS, address)
    assert tuple(seen["corner"]) == ((0x13, 0x15, 0x18) if dark else (0xFA, 0xF9, 0xF6))
    assert seen["colours"] > 100


def _is_near(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    return all(abs(mine - its) <= NEAR for mine, its in zip(one, other, strict=True))

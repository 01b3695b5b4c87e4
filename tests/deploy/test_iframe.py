"""Inside a frame that grows with its page, as a Space shows it: the height comes to rest.

The outer page plays the part of iframe-resizer's parent (the library huggingface.co uses):
it asks the inner page for its height and makes the frame that high, whenever it is told.
A page that measures itself by the window (`vh`, `fill_height`) would grow for ever
(gradio#13563, #13751).
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from tests.ui.started import StartedServer

WATCHED_MS = 3_000
REST_MS = 1_000
REST_TRIES = 45
AT_REST_PX = 2
TORCH_MS = 120_000  # to be loaded, on a busy machine

_OUTER = """<!doctype html><title>course page</title><body style="margin:0">
<h1 style="height:600px;margin:0">A course</h1>
<iframe id="frame" src="{url}" style="width:100%;height:300px;border:0"></iframe>
<script>
const frame = document.getElementById("frame");
window.heights = [];
const settings =
  "frame:8:false:true:32:true:true:null:bodyOffset:null:null:0:false:parent:scroll:true";
frame.addEventListener("load", () => {{
  frame.contentWindow.postMessage("[iFrameSizer]" + settings, "*");
}});
window.addEventListener("message", ({{ data }}) => {{
  if (typeof data !== "string" || !data.startsWith("[iFrameSizer]frame:")) return;
  const [, height, width] = data.split(":").map(Number);
  if (!Number.isFinite(height)) return;
  if (data.endsWith(":scrollToOffset")) {{
    scrollTo(0, frame.offsetTop + height);
    return;
  }}
  if (height === 0 && width === 0) return; // tells of the mouse and of no size, as there
  frame.style.height = height + "px";
  window.heights.push(height);
}});
</script>"""

HEIGHT = "document.querySelector('#frame').getBoundingClientRect().height"


@pytest.fixture(scope="module")
def outer(server: StartedServer) -> Iterator[str]:
    """The address of a page of another origin that shows ours in a frame."""
    content = _OUTER.format(url=server.url).encode()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: Any) -> None:
            """Says nothing."""

    web = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=web.serve_forever, daemon=True)
    thread.start()
    yield f"http://localhost:{web.server_port}/"
    web.shutdown()
    thread.join()
    web.server_close()


@pytest.mark.parametrize("width", [390, 1280])
def test_a_frame_comes_to_rest_and_shows_everything(outer: str, browser: Any, width: int) -> None:
    context = browser.new_context(viewport={"width": width, "height": 800})
    page = context.new_page()
    page.goto(outer)
    inner = page.frame_locator("#frame")
    inner.locator(".mg-bars tbody tr").first.wait_for()
    # PyTorch may arrive late, and adds a line to the page.
    inner.locator(".mg-difference").filter(has_text="×").wait_for(timeout=TORCH_MS)
    inner.locator("#mg-tab-lessons").click()
    inner.locator(".mg-lesson-list button").first.wait_for()
    first = _height_at_rest(page)
    page.wait_for_timeout(WATCHED_MS)
    last = _height(page)
    heights = page.evaluate("window.heights")
    content = _end(inner)
    assert heights, "the inner page never told its height"
    assert abs(last - first) <= AT_REST_PX, heights
    assert len(heights) < 50, "the height is told again and again"
    assert last >= content - AT_REST_PX, "the frame hides the end of the page"
    _grow_and_shrink(page, inner)
    context.close()


STEP_PX = 40  # by which the sheet may be behind
LEAST_SEEN_PX = 150  # of a sheet: its head and what it says first


def test_a_sheet_lies_where_the_page_is_seen(outer: str, browser: Any) -> None:
    """On a phone the frame is far longer than the screen, and the outer page scrolls it."""
    context = browser.new_context(viewport={"width": 390, "height": 800}, has_touch=True)
    page = context.new_page()
    page.goto(outer)
    inner = page.frame_locator("#frame")
    inner.locator(".mg-bars tbody tr").first.wait_for()
    page.wait_for_function(f"{HEIGHT} > 2000")
    tab, sheet = inner.locator("#mg-tab-lessons"), inner.locator(".mg-aside")
    _scroll_to(page, tab, 300)
    tab.tap()
    inner.locator(".mg-lesson-list button").first.wait_for()
    _is_at_the_windows_end(page, sheet)
    for _ in range(2):  # the second time, as much of the page is seen as before, and other
        page.evaluate("window.scrollBy(0, 700)")
        _is_at_the_windows_end(page, sheet)
    for stage, down in (("token_embeddings", 200), ("blocks.0.scores", 500), ("logits", 760)):
        cell = inner.locator(f'[data-stage="{stage}"] [role=gridcell]').first
        _scroll_to(page, cell, 200)
        inner.locator(".mg-aside-close").tap()
        if sheet.is_visible():
            inner.locator(".mg-aside-close").tap()
        _scroll_to(page, cell, down)
        cell.tap()
        inner.locator(".mg-card .mg-line-text").first.wait_for()
        _is_at_the_windows_end(page, sheet, cell)
    context.close()


def _scroll_to(page: Any, locator: Any, down: int) -> None:
    """Scroll the outer page until the element begins `down` px below the window's top."""
    box = locator.bounding_box()  # in the window of the outer page
    page.evaluate("by => window.scrollBy(0, by)", box["y"] - down)
    page.wait_for_timeout(100)


def _is_at_the_windows_end(page: Any, sheet: Any, cell: Any = None) -> None:
    """The sheet ends where the window does, within what an observer's steps leave; the cell that
    was chosen is in the window and above the sheet."""
    for _ in range(REST_TRIES):
        box = sheet.bounding_box()
        chosen = cell.bounding_box() if cell else {"y": 0, "height": 0}
        is_at_end = abs(box["y"] + box["height"] - 800) <= STEP_PX
        is_above = chosen["y"] >= 0 and chosen["y"] + chosen["height"] <= box["y"] + 1
        if is_at_end and is_above and 800 - box["y"] >= LEAST_SEEN_PX:
            return
        page.wait_for_timeout(100)
    raise AssertionError(f"the sheet is at {box}, the cell at {chosen}")


# The frame's script measures anew at every change, and passes on the last of what it is told.
_SHRINK_AMONG_OTHER_CHANGES = """
(element) => {
  element.style.paddingBottom = "";
  let left = 20;
  const change = () => {
    element.dataset.change = left;
    if ((left -= 1)) setTimeout(change, 4);
    else delete element.dataset.change;
  };
  change();
}
"""


def _grow_and_shrink(page: Any, inner: Any) -> None:
    """The frame follows a page that becomes higher and lower again.

    It is compared with the page's own end, which may have moved meanwhile: texts come late.
    """
    box = inner.locator(".mini-gpt")
    before = _height_at_rest(page)
    below = before - _end(inner)
    box.evaluate("element => element.style.paddingBottom = '500px'")
    page.wait_for_function(f"{HEIGHT} >= {before + 400}")
    box.evaluate(_SHRINK_AMONG_OTHER_CHANGES)
    page.wait_for_function(f"{HEIGHT} <= {before + 250}")
    last = _height_at_rest(page)
    heights = page.evaluate("window.heights")
    assert abs(last - _end(inner) - below) <= AT_REST_PX, (before, below, heights)


def _end(inner: Any) -> float:
    """Where the page's content ends in its frame, px."""
    bottom = "element => element.getBoundingClientRect().bottom"
    return float(inner.locator(".mini-gpt").evaluate(bottom))


def _height_at_rest(page: Any) -> float:
    """The height once it has stayed the same for REST_MS."""
    height = _height(page)
    for _ in range(REST_TRIES):
        page.wait_for_timeout(REST_MS)
        before, height = height, _height(page)
        if abs(height - before) <= AT_REST_PX:
            return height
    raise AssertionError(f"no rest: {page.evaluate('window.heights')}")


def _height(page: Any) -> float:
    return float(page.evaluate(HEIGHT))

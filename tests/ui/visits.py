"""Visits to the page: one browser context a theme, kept for the whole run, and clean each time.

A first visit in a new context costs twice what it costs in one that has the page's files in its
cache. So contexts stay; what a visitor left behind (storage, cookies, workers) does not.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

LOCALE = "zh-CN"  # whose visitors the page greets in Chinese
_LEFT_BEHIND = "cookies,local_storage,indexeddb,cache_storage,service_workers"


@dataclass
class Visits:
    """The contexts of one browser that tests share, and who is in them now."""

    browser: Any
    _kept: dict[tuple[Any, ...], Any] = field(default_factory=dict)
    _in_use: set[tuple[Any, ...]] = field(default_factory=set)
    _extra: list[Any] = field(default_factory=list)
    _pages: list[Any] = field(default_factory=list)

    def begin(self, origin: str, *, dark: bool, seconds: float, **options: Any) -> Any:
        """A blank page of a visitor who has never been at `origin`.

        `options` go to `browser.new_context` (`has_touch`, `reduced_motion`…). A second visit
        that begins before `end` is another person's: it gets a context of its own.
        """
        options = {
            "color_scheme": "dark" if dark else "light",
            "locale": LOCALE,
            **options,
        }
        key = tuple(sorted((name, repr(value)) for name, value in options.items()))
        if key in self._in_use:
            context = self.browser.new_context(**options)
            self._extra.append(context)
        else:
            context = self._kept.get(key)
            if context is None:
                context = self._kept[key] = self.browser.new_context(**options)
            self._in_use.add(key)
        context.set_default_timeout(seconds * 1000)
        page = context.new_page()
        self._pages.append(page)
        _forget(page, origin)
        return page

    def end(self) -> None:
        """Close every page that was begun: the next test's visitor is a new one."""
        for page in self._pages:
            page.close()
        for context in self._kept.values():
            for page in context.pages:  # windows that the page itself opened
                page.close()
            context.set_offline(False)
            context.unroute_all()
        for context in self._extra:
            context.close()
        self._pages.clear()
        self._extra.clear()
        self._in_use.clear()

    def close(self) -> None:
        """Close the contexts."""
        for context in self._kept.values():
            context.close()
        self._kept.clear()


def _forget(page: Any, origin: str) -> None:
    session = page.context.new_cdp_session(page)
    session.send(
        "Storage.clearDataForOrigin", {"origin": origin.rstrip("/"), "storageTypes": _LEFT_BEHIND}
    )
    session.detach()

"""Values that a page never sends: what fuzzing is made of."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

NASTY_TEXTS = (
    "",
    " \t\n\r\0",
    '<img src=x onerror="window.pwned=1">',
    "<script>window.pwned=1</script>",
    "${window.pwned=1}",
    "`${window.pwned=1}`",
    "{{constructor.constructor('window.pwned=1')()}}",
    "'\";--</style></script><svg onload=window.pwned=1>",
    "{0} {name} %s %n {__class__}",
    "../../../../etc/passwd",
    "/etc/passwd",
    "file:///etc/passwd",
    "http://127.0.0.1:1/",
    "own:../../etc/passwd",
    "own:",
    "__init__",
    "\u202e\u2066我喜欢\u2069",  # right-to-left marks
    "我\u200d喜欢\u200b猫",  # zero-width joiner and space
    "e\u0301\u0302\u0303" * 50,  # combining marks
    "👩‍👩‍👧‍👦" * 20,
    "\U0010ffff\ufffe\ufeff",
    "𠮷野家",
    "ＡＩ",
    "NaN",
    "Infinity",
    "-0",
    "1e999",
    "9" * 400,
    "我" * 5_000,
)

numbers = st.one_of(
    st.integers(-3, 12),
    st.sampled_from([-1, 2**31, 2**53, 2**63, 2**64, -(2**63) - 1, 10**300, 10**400]),
    st.floats(allow_nan=True, allow_infinity=True),
    st.sampled_from([1e308, -1e308, 5e-324, -0.0, 1.5]),
    st.booleans(),
)
texts = st.one_of(st.sampled_from(NASTY_TEXTS), st.text(max_size=40))


def _grow(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(
        st.lists(inner, max_size=6),
        st.dictionaries(texts, inner, max_size=4),
    )


anything = st.recursive(st.one_of(st.none(), numbers, texts), _grow, max_leaves=12)

"""Lines of keys in TOML: by example, and for every key that tomllib finds in a random document."""

import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snakebo.toml_lines import find_line, index_lines
from snakebo.toml_spec import EXAMPLES

DOCUMENT = '''# a comment = 1
name = "x"  # [not.a.table]
"quoted key".inner = 1
text = """
fake = 1
[[fake]]
ends with quotes: """""
literal = \'\'\'
it = 's
\'\'\'
numbers = [
  1,  # one ] }
  [2, 3,
   4],
  {p = 1, q.r = "}, ]"},
]
[table]
date = 1979-05-27 07:32:00
[[items]]
name = 'first # no comment'
[items.sub]
deep = true
[[items]]
name = 2
[[items.more]]
z = 1
[[items.more]]
z = {}
'''


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("name",), 2),
        (("quoted key", "inner"), 3),
        (("text",), 4),
        (("literal",), 8),
        (("numbers",), 11),
        (("numbers", 0), 12),
        (("numbers", 1), 13),
        (("numbers", 1, 2), 14),
        (("numbers", 2, "q", "r"), 15),
        (("table",), 17),
        (("table", "date"), 18),
        (("items",), 19),
        (("items", 0, "name"), 20),
        (("items", 0, "sub", "deep"), 22),
        (("items", 1), 23),
        (("items", 1, "name"), 24),
        (("items", 1, "more", 1, "z"), 28),
        (("items", 1, "low"), 23),  # missing: the table it should be in
        (("items", 5, "name"), 19),
        (("table", "x", "y"), 17),
        (("unknown",), 1),
        ((), 1),
    ],
)
def test_where_a_key_stands(path: tuple[str | int, ...], line: int) -> None:
    assert find_line(DOCUMENT, path) == line


def test_lines_of_windows_count_once() -> None:
    assert find_line("a = 1\r\n\r\nb = [\r\n 1,\r\n 2]\r\n", ("b", 1)) == 5


def paths(data: Any, at: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    items: list[tuple[str | int, Any]] = []
    if isinstance(data, dict):
        items = list(data.items())
    elif isinstance(data, list):
        items = list(enumerate(data))
    for key, value in items:
        yield (*at, key)
        yield from paths(value, (*at, key))


def check_all_keys(text: str) -> None:
    lines, rows = index_lines(text), text.split("\n")
    assert set(lines) == set(paths(tomllib.loads(text)))
    for path, line in lines.items():
        if isinstance(path[-1], str) and path[-1].isidentifier():
            assert path[-1] in rows[line - 1]


@pytest.mark.parametrize("text", [DOCUMENT, *EXAMPLES.values()])
def test_every_key_is_found(text: str) -> None:
    check_all_keys(text)


scalars = st.sampled_from(
    ["1", "-2.5e3", "true", "inf", '"a"', "'b # ] }'", '"\\"]"', '"""\nx = 1\n"""', "'''[t]\n'''", "07:32:00"]
)
values = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda each: f"[{', '.join(each)}]"),
        st.lists(inner, max_size=3).map(
            lambda each: "[ # c ]\n" + ",\n".join([*each, ""][: len(each)]) + "\n]"
        ),
        st.lists(inner, max_size=2).map(
            lambda each: (
                "{" + ", ".join(f"{key} = {value}" for key, value in zip("pq", each, strict=False)) + "}"
            )
        ),
    ),
    max_leaves=6,
)
keys = st.lists(st.sampled_from(["a", "b", "c", '"d e"', "'='"]), min_size=1, max_size=3).map(" . ".join)
statements = st.one_of(
    st.tuples(keys, values).map(lambda pair: f"{pair[0]} = {pair[1]}  # = [x]"),
    keys.map(lambda key: f"[{key}]"),
    keys.map(lambda key: f"[[ {key} ]]"),
    st.just(""),
)


@settings(max_examples=300)
@given(st.lists(statements, max_size=8))
def test_every_key_of_a_random_document_is_found(lines: list[str]) -> None:
    kept: list[str] = []
    for line in lines:  # leave out what would make it invalid, such as a key that comes twice
        try:
            tomllib.loads("\n".join([*kept, line]))
        except tomllib.TOMLDecodeError:
            continue
        kept.append(line)
    check_all_keys("\n".join(kept))

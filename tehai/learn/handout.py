"""A handout of a rule set on paper: its yaku on one page, its points on the next, as HTML."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape
from typing import Final

from scorer.payment import YAKUMAN_BASE, base_points, hand_points, shares
from scorer.rules import LIMITS, RuleSet
from scorer.telling.sentence import Name, Sentence, Value, say
from scorer.yaku import YAKUMAN
from tehai.learn.texts import Texts
from tehai.lesson.html import document, wording

_HAN: Final = (1, 2, 3, 4)
_FU: Final = (20, 25, 30, 40, 50, 60, 70, 80, 90, 100, 110)
_NEVER: Final = 5
_LEAST_RON: Final = {20: _NEVER, 25: 2}
_LEAST_TSUMO: Final = {20: 2, 25: 3}
"""The least han of wins with so many fu: 20 fu is pinfu by tsumo, 25 is seven pairs."""

_LEAST_OPEN: Final = 20
"""The fu of an open hand that earns none, under rules that add none to it (Toudai §3.2.4)."""

STYLE: Final = """\
body { margin: 0; background: #fff; color: #1b1b1b; font: 9.5pt/1.3 system-ui, "Hiragino Sans",
  "Noto Sans JP", "Noto Sans CJK JP", sans-serif; }
main { max-width: 186mm; margin: 0 auto; padding: 6mm; }
h1 { font-size: 14pt; margin: 0 0 1mm; }
h2 { font-size: 10.5pt; margin: 2.5mm 0 1mm; break-after: avoid; }
p { margin: 0 0 2mm; color: #555; }
section + section { break-before: page; padding-top: 6mm; }
.yaku { columns: 2; column-gap: 6mm; font-size: 8.3pt; line-height: 1.25; }
.yaku div { break-inside: avoid; margin: 0 0 .9mm; }
.yaku h2 { margin-top: 0; }
.yaku b + span { float: right; font-weight: 700; }
.yaku small { display: block; color: #444; font-size: 1em; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; width: 100%; break-inside: avoid; }
th, td { border: 1px solid #999; padding: .6mm 1.5mm; text-align: right; }
th { background: #eee; font-weight: 600; }
td small { color: #444; }
@media print { main { padding: 0; max-width: none; }
  @page { margin: 12mm; @bottom-right { content: counter(page) " / " counter(pages);
    font: 9pt sans-serif; } } }
"""


def handout(texts: Texts, rules: RuleSet) -> str:
    """Two pages about the rules: their yaku, and the points for han and fu."""
    name = texts.text(say("handout.title", rules=rules.named(texts.language)))
    head = f"<h1>{escape(name)}</h1>"
    parts = ("<main>", "<section>", head, *_yaku(texts, rules), "</section>",
             "<section>", head, *_points(texts, rules), "</section>", "</main>")  # fmt: skip
    return document(texts.language, name, STYLE, "".join(f"{part}\n" for part in parts))


def _tag(texts: Texts, name: str, value: Value) -> str:
    return f"<{name}>{wording(texts, value)}</{name}>"


# --- yaku ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Row:
    id: str
    closed: int
    open: int


def _played(rules: RuleSet) -> Iterator[_Row]:
    """The yaku of the rules, by han; a yakuman counts 13."""
    rows = []
    for yaku in rules.table:
        closed, open_ = rules.yaku[yaku.id]
        if closed or open_:
            rows.append(_Row(yaku.id, closed, open_))
    return iter(sorted(rows, key=lambda row: row.closed or row.open))


def _yaku(texts: Texts, rules: RuleSet) -> Iterator[str]:
    yield _tag(texts, "p", say("handout.yaku"))
    yield '<div class="yaku">'
    last: object = None
    for row in _played(rules):
        group = _group(row)
        if group != last:
            yield f"<div>{_tag(texts, 'h2', group)}{_one(texts, row)}</div>"
            last = group
        else:
            yield f"<div>{_one(texts, row)}</div>"
    for id_, limit in rules.limit_hands.items():
        yield f"<div>{_entry(texts, id_, Name(limit))}</div>"
    yield "</div>"


def _group(row: _Row) -> Value:
    worth = row.closed or row.open
    if worth < YAKUMAN:
        return say("handout.han", han=worth)
    return say("handout.times", times=worth // YAKUMAN) if worth > YAKUMAN else Name("yakuman")


def _one(texts: Texts, row: _Row) -> str:
    return _entry(texts, row.id, _calls(row))


def _calls(row: _Row) -> Value:
    """The effect of a call on a yaku's han."""
    if not row.open:
        return say("handout.closed")
    return say("handout.open", han=row.open) if row.open < row.closed < YAKUMAN else ""


def _entry(texts: Texts, id_: str, beside: Value) -> str:
    rule = wording(texts, Sentence(f"rule.{id_}"))
    return f"<b>{wording(texts, Name(id_))}</b> <span>{wording(texts, beside)}</span><small>{rule}</small>"


# --- points -------------------------------------------------------------------------------------------------


def _points(texts: Texts, rules: RuleSet) -> Iterator[str]:
    yield _tag(texts, "p", say("handout.points"))
    for dealer in (False, True):
        title = say("handout.dealer") if dealer else say("handout.not_dealer")
        heads: tuple[Value, ...] = (Name("fu"), *(say("handout.han", han=han) for han in _HAN))
        rows = (_row(texts, fu, dealer, rules) for fu in _FU)
        yield _tag(texts, "h2", title) + _table(texts, heads, rows)
    if not rules.aotenjou:
        yield _tag(texts, "h2", say("handout.limits"))
        columns: tuple[Value, ...] = (
            say("handout.limit"),
            Name("han"),
            say("handout.not_dealer"),
            say("handout.dealer"),
        )
        yield _table(texts, columns, _limits(texts, rules))
    counters = "handout.counters_dealer" if rules.honba_dealer_only else "handout.counters"
    yield _tag(texts, "p", say(counters, points=rules.honba_points))


def _row(texts: Texts, fu: int, dealer: bool, rules: RuleSet) -> Iterator[str]:
    yield str(fu)
    for han in _HAN:
        ron, tsumo = han >= _LEAST_RON.get(fu, 1), han >= _LEAST_TSUMO.get(fu, 1)
        ron = ron or (fu == _LEAST_OPEN and not rules.open_pinfu_fu)
        yield _cell(texts, base_points(han, fu, rules)[0], dealer, rules, ron=ron, tsumo=tsumo)


def _cell(
    texts: Texts, base: int, dealer: bool, rules: RuleSet, *, ron: bool = True, tsumo: bool = True
) -> str:
    """The points of a ron and of a tsumo; empty if such a win is impossible."""
    each = sorted(set(shares(base, dealer, rules)))
    all_ = say("handout.each", points=each[0]) if len(each) == 1 else " / ".join(f"{one:,}" for one in each)
    drawn = f"<small>({wording(texts, all_)})</small>" if tsumo else ""
    fed = f"{hand_points(base, False, dealer, rules):,}" if ron else ""
    return f"{fed} {drawn}".strip() or "–"


def _limits(texts: Texts, rules: RuleSet) -> Iterator[list[str]]:
    for limit, base in LIMITS.items():
        if limit in rules.limits:
            han = f"{rules.limits[limit]}+"
            yield [wording(texts, Name(limit)), han, *(_cell(texts, base, at, rules) for at in (False, True))]
    cells = (_cell(texts, YAKUMAN_BASE, at, rules) for at in (False, True))
    yield [wording(texts, Name("yakuman")), "", *cells]


def _table(texts: Texts, heads: Iterable[Value], rows: Iterable[Iterable[str]]) -> str:
    head = "".join(f"<th>{wording(texts, one)}</th>" for one in heads)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><tr>{head}</tr>{body}</table>"

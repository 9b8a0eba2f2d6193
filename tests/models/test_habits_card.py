"""The card of the reckoning says what was measured, draws how sure it is, and shows where it fails."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageColor

from models.habits_card import STANDING, card, main, worst
from models.reliability import ABOVE, DATA, LEFT, SIDE, diagram
from models.scene_check import SceneResult
from models.scene_figures import reliability, summary
from vision.weights import SIDES

RESULTS = [
    SceneResult("a.jpg", "won", "finished", "right", True, True, confidence=0.99),
    SceneResult("b.jpg", "won", "finished", "silent", True, False, "label", confidence=0.95),
    SceneResult("c.jpg", "won", "finished", "silent", True, False, "label", confidence=0.3),
    SceneResult("d.jpg", "ready", "none", "doubted", True, False, "loose tile taken", confidence=0.6),
    SceneResult("e.jpg", "won", "finished", "asked", False, False, "role", message="Which?"),
]
EVALUATION: dict[str, Any] = {
    "models": {"finder": "0123456789abcdef", "faces": "fedcba9876543210"},
    "outcomes": [
        {"file": "x.jpg", "outcome": "a finished hand", "met": True, "missed": [], "message": ""},
        {
            "file": "y.jpg",
            "outcome": "13 tiles",
            "met": False,
            "missed": ["waits"],
            "message": "9 tiles.",
        },
    ],
    "scenes": {"seeds": [901], **summary(RESULTS)},
}
FIT = {
    "scenes": 400,
    "seed": 11,
    "drawings": "training",
    "command": "python -m models.fit --seed 11",
    "weights": {"rows.touch": 7.0123},
    "trust": {
        side: {"start": 1.0, "steps": [["colour", -3.0, 0.5], ["colour", 1.0, -0.25]]} for side in SIDES
    },
    "told": 0.97,
    "unnoticed": 0.002,
    "log_likelihood": {"before": -2.5, "fitted": -1.25},
    "calibrated": {"scenes": 200, "seed": 12, "drawings": "held-out"},
}


def arguments(folder: Path) -> list[str]:
    return [
        str(folder / "e.json"), "--weights", str(folder / "fit.json"), "--out", str(folder / "habits.md")
    ]  # fmt: skip


def test_a_card_says_what_was_fitted_and_measured_and_where_it_fails() -> None:
    text = card(EVALUATION, FIT, [("Diagram", "d.png"), ("Failures", "f.jpg")])
    for part in (
        "- scenes: 400 of training drawings, seed 11\n",
        "- confidence: on 200 of held-out drawings, seed 12\n",
        "- unnoticed: beside 0.20% of the finished hands another one lies",
        "the true reading, fitted: -1.2500",
        "| `rows.touch` | 7.012 |",
        "| `colour` | +0.25 in 2 | +0.25 in 2 |",
        "| `share` |  |  |",
        "On 5 rendered moments",
        "seed 901",
        "| silently wrong, of all scenes | 2 of 5, 40.0 % (11.8 to 76.9) |",
        "| none | ready | 1 | 0 | 0 | 0 | 1 | 0 |",
        "| silent | finished | label | 2 |",
        "1 of 2 outcomes met.",
        "- `x.jpg`, a finished hand: met\n",
        "- `y.jpg`, 13 tiles: not met (waits): 9 tiles.",
    ):
        assert part in text
    assert text.index("(d.png)") < text.index("## Where it fails") < text.index("(f.jpg)")


def test_a_card_says_how_well_answers_were_believed() -> None:
    checked = {"answers": 80, "right": 60, "log_likelihood": -9.5, "sure": 40, "sure_right": 38}
    fit = {**FIT, "calibrated": {**FIT["calibrated"], "checked": {"finished": checked}}}
    text = card(EVALUATION, fit, [])
    assert "60 of 80 right, log likelihood -9.5; with a confidence of 0.98 and more 38 of 40, 95.0 %" in text


def test_without_scenes_there_is_no_card() -> None:
    with pytest.raises(ValueError, match="with --old"):
        card({**EVALUATION, "scenes": None}, FIT, [])


def test_each_cause_is_shown_before_any_comes_again_and_the_gravest_first() -> None:
    assert [file for file, _ in worst(EVALUATION["scenes"])] == ["b.jpg", "d.jpg", "e.jpg", "c.jpg"]
    assert worst(EVALUATION["scenes"], 1) == [("b.jpg", "silent: label (finished)")]


def test_the_command_writes_the_card_and_its_diagram(tmp_path: Path) -> None:
    standing = {name: FIT[name] for name in STANDING}
    weights = {**standing, "fitted": {name: value for name, value in FIT.items() if name not in standing}}
    for name, value in (("e.json", EVALUATION), ("fit.json", weights)):
        (tmp_path / name).write_text(json.dumps(value), encoding="utf-8")
    main(arguments(tmp_path))
    text = (tmp_path / "habits.md").read_text(encoding="utf-8")
    assert "(habits-reliability.png)" in text and "- unnoticed: beside" in text
    assert Image.open(tmp_path / "habits-reliability.png").size[0] > 2 * SIDE


def test_a_report_that_lacks_something_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "e.json").write_text(json.dumps(EVALUATION), encoding="utf-8")
    (tmp_path / "fit.json").write_text('{"weights": {}}', encoding="utf-8")
    with pytest.raises(SystemExit):
        main(arguments(tmp_path))
    assert "the report of the fit lacks scenes, seed, drawings" in capsys.readouterr().err
    assert not list(tmp_path.glob("habits*"))


def _is_data(image: Image.Image, x: int, y: int) -> bool:
    found, wanted = image.getpixel((x, y)), ImageColor.getrgb(DATA)
    assert isinstance(found, tuple)
    return max(abs(a - b) for a, b in zip(found, wanted, strict=True)) < 30


def test_a_point_stands_where_confidence_and_share_say() -> None:
    image = diagram(reliability([(0.5, True), (0.5, False)]))
    assert _is_data(image, LEFT + SIDE // 2, ABOVE + SIDE // 2)
    assert not _is_data(image, LEFT + SIDE // 2, ABOVE + SIDE // 4)


def test_a_share_below_the_second_panel_is_pointed_at() -> None:
    image = diagram(reliability([(0.95, True), (0.95, False)]))
    middle = 2 * LEFT + SIDE + SIDE // 2
    assert _is_data(image, middle, ABOVE + SIDE - 5)

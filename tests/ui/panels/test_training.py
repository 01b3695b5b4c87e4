"""A real training in a real browser: from the first click to the files and back, two people at
once, a server that goes away. What the panel says of it: tests/web/panel_training.test.js."""

from __future__ import annotations

import os
import re
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import pytest
import torch

from export.runtimes.onnx_runtime import session_for
from model.model_files import load_bytes
from model.network import MiniGPT
from model.vocabulary import LESSON_WORDS
from tests.ui.conftest import OpenPage, Watched
from tests.ui.panels.opening import open_panel, overflow
from tests.ui.reading import bars
from tests.ui.started import StartedServer, started
from tests.ui.test_accessibility import AXE, findings

LONG = 300_000  # milliseconds: a process that starts and learns on a busy machine

TEXTS = {
    "zh": {
        "train": "训练", "stop": "停止", "prepare": "准备文件", "steps": "步数 steps",
        "corpus": "语料 corpus", "finished": "训练完了", "stopped": "停在第",
        "bring": "从这个浏览器重新加载",
    },
    "en": {
        "train": "Train", "stop": "Stop", "prepare": "Prepare the files", "steps": "steps",
        "corpus": "Corpus", "finished": "Done", "stopped": "Stopped at",
        "bring": "Load it again from this browser",
    },
}  # fmt: skip


class Panel:
    """The training panel of one page, in its language."""

    def __init__(self, page: Any, panel: Any, language: str = "zh") -> None:
        self.page, self.panel, self.texts = page, panel, TEXTS[language]
        page.set_default_timeout(LONG)

    def press(self, name: str) -> None:
        self.panel.get_by_role("button", name=self.texts[name], exact=True).click()

    def fill(self, name: str, text: str) -> None:
        self.panel.get_by_label(self.texts[name]).fill(text)

    def wait_for(self, name: str) -> str:
        """The status line once it says `name`."""
        line = self.panel.locator(".mg-training-status").filter(has_text=self.texts[name])
        line.wait_for()
        text: str = line.inner_text()
        return text

    def wait_for_steps(self, count: int) -> None:
        """Return when `count` steps can be looked back at."""
        self.page.wait_for_function(
            "count => Number(document.querySelector('.mg-look-slider').max) >= count", arg=count
        )

    def wait_for_own(self, instead_of: str = "") -> str:
        """The page's model once it is the person's own, and not `instead_of`."""
        self.page.wait_for_function(
            """old => {
                const model = new URLSearchParams(location.search).get("model") ?? "";
                return model.startsWith("own:") && model !== old;
            }""",
            arg=instead_of,
        )
        found = re.search(r"model=(own%3A[0-9a-f]{32}(?:-\d+)?)", self.page.url)
        assert found is not None
        self.page.wait_for_function(
            "document.querySelector('.mg-weights-switch input[value=own]').checked"
        )
        return found[1].replace("%3A", ":")

    def chance(self, prompt: str, word: str) -> float:
        """What the watched bars show for `word` after `prompt`."""
        table = self.panel.get_by_role("table", name=re.compile(prompt)).first
        row = table.locator(f'tr[data-word="{word}"]')
        return float(row.locator(".mg-number").inner_text())


@pytest.fixture
def open_training(open_page: OpenPage) -> Callable[..., Panel]:
    """`open_training(language="zh", **how)` -> Panel with its form filled in."""

    def open_(language: str = "zh", query: str = "", **how: Any) -> Panel:
        more = f"lang={language}" + (f"&{query}" if query else "")
        page, panel = open_panel(open_page, "training", more, **how)
        page.wait_for_function("document.querySelector('.mg-corpus')?.value > ''")
        return Panel(page, panel, language)

    return open_


POEM = "床前明月光，疑是地上霜。\n举头望明月，低头思故乡。\n"


@pytest.mark.long("a whole training")
def test_a_text_of_ones_own_is_trained_by_characters_and_the_page_follows(
    open_training: Any, tmp_path: Path
) -> None:
    page = open_training("en")
    file = tmp_path / "poem.txt"
    file.write_bytes(POEM.encode("gbk"))
    page.panel.locator(".mg-text-choose input").set_input_files(file)
    counts = page.panel.locator(".mg-corpus-words li")
    counts.filter(has_text="月").wait_for()
    assert page.panel.locator(".mg-corpus").input_value() == POEM
    page.panel.locator(".mg-suggested").filter(has_text="600 steps").wait_for()
    page.panel.locator("input[name=steps]").fill("150")
    page.press("train")
    page.wait_for("finished")
    page.wait_for_own()
    page.page.locator(".mg-many-words").wait_for()
    chips = page.page.locator(".mg-chip-word")
    assert chips.all_inner_texts() == ["床", "前"]
    names = page.page.locator(".mg-bars tbody th").all_inner_texts()
    different = len(set(POEM.strip()))
    assert len(names) == 11
    assert names[-1] == f"the other {different - 10} words"
    words = page.page.locator(".mg-word:visible .mg-word-text")
    assert words.all_inner_texts()[:3] == names[:3]  # the most probable first
    page.page.locator(".mg-word-search").fill("乡")
    page.page.locator(".mg-word:visible").click()
    page.page.wait_for_function("document.querySelectorAll('.mg-chip-word').length === 3")
    assert chips.all_inner_texts() == ["床", "前", "乡"]
    assert "%E5%BA%8A" not in page.page.url  # 床

    page.page.locator(".mg-weights-switch input[value=teaching]").check(force=True)
    page.page.locator(".mg-many-words").wait_for(state="detached")
    assert chips.all_inner_texts() == ["我", "喜欢"]
    page.page.locator(".mg-undo").click()
    page.page.locator(".mg-many-words").wait_for()
    assert chips.all_inner_texts() == ["床", "前", "乡"]


@pytest.mark.long("a whole training, and its files made")
def test_what_is_downloaded_after_a_text_of_ones_own_has_its_words(
    open_training: Any, tmp_path: Path
) -> None:
    page = open_training("en")
    page.panel.locator(".mg-training-form input[value=characters]").check(force=True)
    page.panel.locator(".mg-corpus").fill(POEM)
    page.panel.locator(".mg-suggested").filter(has_text="600 steps").wait_for()
    page.panel.locator("input[name=steps]").fill("60")
    page.press("train")
    page.wait_for("finished")
    page.wait_for_own()
    page.press("prepare")
    page.panel.locator(".mg-files").get_by_role("button").first.wait_for()
    names = ("mini_gpt_own.zip", "model.safetensors", "config.json", "mini_gpt_own.onnx")
    files = {name: download(page, name, tmp_path) for name in names}

    words = list(dict.fromkeys(POEM.strip().replace("\n", "↵")))
    with zipfile.ZipFile(files["mini_gpt_own.zip"]) as packed:
        packed.extractall(tmp_path)
    folder = tmp_path / "mini_gpt_own"
    model = MiniGPT.from_pretrained(folder)
    loose = load_bytes(files["model.safetensors"].read_bytes())
    for each in (model, loose):
        assert each.vocabulary is not None
        assert [word.replace("\n", "↵") for word in each.vocabulary.words] == words
    for (name, one), other in zip(
        model.state_dict().items(), loose.state_dict().values(), strict=True
    ):
        assert torch.equal(one, other), name

    ids = [words.index(word) for word in "床前"]
    with torch.inference_mode():
        expected = model.trace(torch.tensor([ids]))["logits"].numpy()
    shown = page.page.locator(".mg-bars tbody tr[data-word]").evaluate_all(
        "rows => rows.map((row) => [row.dataset.word, row.lastElementChild.textContent])"
    )
    assert len(shown) == 10
    for word, logit in shown:
        assert expected[0, -1, words.index(word)] == pytest.approx(number(logit), abs=1e-4)
    for onnx in (files["mini_gpt_own.onnx"], *folder.rglob("mini_gpt_own.onnx")):
        (ran,) = session_for(onnx).run(["logits"], {"token_ids": np.array([ids])})
        np.testing.assert_allclose(ran, expected, atol=1e-4)


@pytest.mark.long("four whole trainings")
def test_train_stop_explain_download_load(open_training: Any, tmp_path: Path) -> None:
    page = open_training("en")
    page.fill("steps", "2000")
    page.press("train")
    page.panel.locator(".mg-curve").wait_for()
    page.wait_for_steps(150)
    page.press("stop")
    assert page.wait_for("stopped")
    model_id = page.wait_for_own()
    assert page.chance("我 喜欢", "AI") > 0.5

    explained = explain(page, model_id)
    probability, logit = bars(page.page)["AI"]
    assert explained == pytest.approx(number(logit), abs=1e-4)  # the working may show more digits
    assert float(probability) == pytest.approx(page.chance("我 喜欢", "AI"), abs=1e-4)

    page.press("prepare")
    files = page.panel.locator(".mg-files")
    files.get_by_role("button").first.wait_for()
    downloaded = {
        name: download(page, name, tmp_path)
        for name in ("model.safetensors", "mini_gpt_own.onnx", "mini_gpt_own_trace.onnx")
    }
    model = load_bytes(downloaded["model.safetensors"].read_bytes(), vocabulary=LESSON_WORDS)
    token_ids = np.array([[0, 1]])
    with torch.inference_mode():
        expected = model.trace(torch.from_numpy(token_ids))["logits"].numpy()
    assert expected[0, -1, 2] == pytest.approx(number(logit), abs=1e-4)
    for name in ("mini_gpt_own.onnx", "mini_gpt_own_trace.onnx"):
        ran = session_for(downloaded[name]).run(["logits"], {"token_ids": token_ids})
        np.testing.assert_allclose(ran[0], expected, atol=1e-4)

    page.page.locator(".mg-weights-switch .mg-segment").first.click()
    page.page.wait_for_function("!location.search.includes('model=own')")
    page.panel.locator(".mg-upload input[multiple]").set_input_files(
        downloaded["model.safetensors"]
    )
    page.wait_for_own(instead_of=model_id)
    page.page.wait_for_function(
        "logit => [...document.querySelectorAll('.mg-bars .mg-number')]"
        ".some((cell) => cell.textContent === logit)",
        arg=logit,
    )
    assert overflow(page.page, "training") == []


def number(text: str) -> float:
    """A number as the page writes it."""
    return float(text.replace("−", "-"))


def explain(page: Panel, model_id: str) -> float:
    """The result of the working of the logit of AI with the person's model."""
    page.page.evaluate(
        "model => { location.search = `?v=1&panel=training&lang=${document.documentElement.lang"
        ".slice(0, 2)}&model=${encodeURIComponent(model)}&stage=logits&cell=1.2`; }",
        model_id,
    )
    page.page.locator(".mg-bars tbody tr").first.wait_for()
    result = page.page.locator(".mg-card .mg-line-last .mg-line-result")
    result.wait_for()
    explained = number(result.inner_text())
    # The cell of the address is in front; the training behind it is followed again.
    page.page.locator(".mg-aside-choice[aria-pressed='false']").click()
    page.panel.locator(".mg-curve").wait_for()
    return explained


def download(page: Panel, name: str, folder: Path) -> Path:
    with page.page.expect_download() as caught:
        page.panel.get_by_role("button", name=name, exact=True).click()
    assert caught.value.suggested_filename == name
    path = folder / name
    caught.value.save_as(path)
    return path


@pytest.mark.long("two whole trainings, each in a browser")
def test_two_people_train_at_once_and_do_not_mix(open_training: Any) -> None:
    one, two = open_training(), open_training("en")
    two.fill("corpus", "我喜欢学习\n猫喜欢AI")
    one.press("train")
    two.press("train")
    one.wait_for("finished")
    two.wait_for("finished")
    assert one.chance("我 喜欢", "AI") > 0.9
    assert two.chance("我 喜欢", "学习") > 0.9
    assert one.wait_for_own() != two.wait_for_own()
    assert one.panel.locator(".mg-kept-item").count() == 1
    assert two.panel.locator(".mg-kept-item").count() == 1


@pytest.fixture
def mortal(tmp_path: Path, watched: Watched) -> Iterator[StartedServer]:
    """A server of the test's own, to be stopped and started."""
    running = started(tmp_path / "log.txt")
    watched.host = urlsplit(running.url).netloc
    for expected in ("Failed to fetch", "net::ERR_", "Could not connect"):
        watched.allow(expected)
    yield running
    running.stop()


@pytest.mark.long("a server that starts twice, and two trainings")
def test_a_restarted_server_is_told_and_the_browser_brings_the_model_back(
    open_training: Any, mortal: StartedServer
) -> None:
    page = open_training(url=mortal.url)
    page.fill("steps", "60")
    page.press("train")
    page.wait_for("finished")
    lost = page.wait_for_own()
    page.panel.locator(".mg-kept-item").wait_for()
    shown = bars(page.page)
    page.fill("steps", "2000")
    page.press("train")
    page.wait_for_steps(100)  # more than the first training had
    mortal.stop()
    mortal.start()
    page.panel.get_by_role("alert").filter(has_text="服务器上已没有这次训练").wait_for()
    assert page.panel.get_by_label("步数").input_value() == "2000"
    page.page.locator(".mg-palette").get_by_role("button").first.click()
    page.page.locator(".mg-palette").get_by_role("button").first.click()
    button = page.page.get_by_role("button", name=page.texts["bring"])
    button.click()
    page.wait_for_own(instead_of=lost)
    page.page.locator(".mg-row").get_by_role("button", name="撤销").click()
    page.page.locator(".mg-row").get_by_role("button", name="撤销").click()
    page.page.wait_for_function(
        "expected => document.querySelector('.mg-bars .mg-number').textContent === expected",
        arg=shown["我"][0],
    )
    assert bars(page.page) == shown


@pytest.mark.long("a training under axe")
def test_axe_finds_nothing_serious_in_a_training(open_training: Any) -> None:
    if not AXE.exists():
        assert os.environ.get("CI") != "true", "axe-core is missing: npm ci"
        pytest.skip("axe-core is missing (npm ci)")
    axe = AXE.read_text("utf-8")
    page = open_training("zh", width=390)
    assert findings(page.page, axe) == []
    page.fill("steps", "20")
    page.press("train")
    page.wait_for("finished")
    page.panel.locator(".mg-head").first.wait_for()
    page.panel.locator(".mg-kept-item").wait_for()
    assert findings(page.page, axe) == []
    page.page.evaluate("document.body.classList.add('dark')")
    assert findings(page.page, axe) == []

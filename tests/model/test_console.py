"""What the commands print: never in vain, and in the person's language."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import pytest

from model.console import Console, check_folder, chosen_language, locale_language
from model.errors import InputError

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "zh_TW.Big5", "LC_MESSAGES": ""}, "zh"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "en_GB.UTF-8", "LC_MESSAGES": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "C"}, "en"),
    ],
)
def test_the_locale_says_the_language(environment: dict[str, str], language: str) -> None:
    assert locale_language(environment) == language


@pytest.mark.parametrize(("name", "language"), [("Chinese (Simplified)_China", "zh"), (None, "en")])
def test_windows_says_it_in_words(
    monkeypatch: pytest.MonkeyPatch, name: str | None, language: str
) -> None:
    monkeypatch.setattr("locale.getlocale", lambda: (name, "936"))
    assert locale_language({}) == language


def test_the_command_line_wins_and_a_console_without_chinese_gets_english(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    assert chosen_language([]) == "zh"
    assert chosen_language(["train", "--lang", "en"]) == "en"
    assert chosen_language(["--lang=en"]) == "en"
    assert chosen_language(["--lang"]) == "zh"
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding="ascii"))
    assert chosen_language([]) == "en"
    assert chosen_language(["--lang", "zh"]) == "zh"


def test_what_ended_a_command_is_said_in_the_language(capsys: pytest.CaptureFixture[str]) -> None:
    error = InputError("heads", model_dim=5, num_heads=2)
    full = OSError(28, "No space left on device", "out")
    assert [Console("zh").refuse(error), Console("zh").refuse(full)] == [2, 1]
    assert Console("en").refuse(KeyboardInterrupt()) == 130
    told = capsys.readouterr().err
    assert f"错误：{error.text('zh')}" in told
    assert "错误：无法读写文件 (out)：磁盘满了" in told
    assert "stopped" in told


@pytest.mark.parametrize("encoding", ["ascii", "gbk", "latin-1"])
def test_a_console_that_cannot_show_it_gets_it_escaped(encoding: str) -> None:
    script = "from model.console import Console; Console('zh').write('猫 |Δ| é'); print('end')"
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env={"PYTHONIOENCODING": encoding, "LC_ALL": "C"},
        capture_output=True,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    expected = "猫 |Δ| é".encode(encoding, errors="backslashreplace")
    assert done.stdout.splitlines() == [expected, b"end"]


@pytest.mark.parametrize("target", ["/dev/full", "pipe", "closed"])
def test_a_line_that_cannot_be_written_ends_nothing(tmp_path: Path, target: str) -> None:
    after = tmp_path / "after"
    script = (
        "import sys; from model.console import Console; from pathlib import Path\n"
        "console = Console('en')\n"
        "for _ in range(3): console.write('x' * 100_000)\n"
        f"Path({str(after)!r}).touch()"
    )
    redirected = {"/dev/full": ">/dev/full", "pipe": "| true", "closed": ">&-"}[target]
    done = subprocess.run(
        ["/bin/sh", "-c", f'"$0" -c "$1" {redirected}', sys.executable, script],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert after.exists()
    assert done.stderr == ""


def test_a_folder_is_made_and_tried_and_left_empty(tmp_path: Path) -> None:
    check_folder(tmp_path / "new" / "里面")
    assert list((tmp_path / "new" / "里面").iterdir()) == []
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match="file"):
        check_folder(tmp_path / "file")
    with pytest.raises(OSError, match="file"):
        check_folder(tmp_path / "file" / "below")

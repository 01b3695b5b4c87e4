"""`python -m export --form NAME`: prove and write one form of every shipped model."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

from export.decode_ort.file import FORM as DECODE_ORT
from export.decode_ort.proof import decode_ort_record
from export.forms.catalogue import FORMS, form_file
from export.parity.continuing import measure_continuing
from export.parity.files import FormFiles
from export.parity.measure import Settings, measure_logits
from export.parity.record import OK, Record
from export.parity.subjects import Subject, subjects
from export.runtimes.catalogue import RUNTIMES
from export.runtimes.environments import default_root
from model.whole_file import write_whole

_SECONDS = 600  # time limit for the prompts of one model


def write_form(form: str, folder: Path) -> list[Record]:
    """Write `form` of the lesson's and the trained weights to `folder`, once ONNX Runtime agrees.

    Raises:
        AssertionError: it does not agree; nothing has been written.
    """
    contents: dict[str, bytes] = {}
    records: list[Record] = []
    for subject in subjects():
        if not subject.shipped:
            continue
        record, content = proven_form(form, subject)
        contents[form_file(subject.name, form)] = content
        records.append(record)
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in contents.items():
        write_whole(folder / name, content)
    return records


def proven_form(form: str, subject: Subject) -> tuple[Record, bytes]:
    """ONNX Runtime's record for the file in `form`, and the file's content.

    Raises:
        AssertionError: it differs from PyTorch.
    """
    use = FORMS[form].use
    with tempfile.TemporaryDirectory() as made:
        files = FormFiles(Path(made), Path(made))
        content = files.path(subject, form).read_bytes()
        if use == DECODE_ORT:
            return decode_ort_record(form, subject, content), content
        # The trace's logits are among its values.
        forms = {"logits": form, "trace": form} if use == "trace" else {use: form}
        engine = replace(RUNTIMES["onnxruntime"], forms=forms)
        settings = Settings(files, default_root(), _SECONDS)
        if use in ("decode", "generate"):
            record = measure_continuing(engine, subject, settings, use)
        else:
            record = measure_logits(engine, subject, settings)
    if record.verdict != OK:
        raise AssertionError(f"{form_file(subject.name, form)}: {record.verdict} {record.reason}")
    return record, content

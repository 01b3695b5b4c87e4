"""The file of each form: the shipped one if there is one, else one that is made on demand."""

from __future__ import annotations

from pathlib import Path

from export.forms.catalogue import FORMS, form_file
from export.graph import model_metadata
from export.parity.subjects import Subject
from model.vocabulary import LESSON_WORDS


class FormFiles:
    """Paths of files by weights and form.

    shipped: the folder of existing files; a file found there is used, whatever it contains.
    made: the folder where others are written.
    """

    def __init__(self, shipped: Path, made: Path) -> None:
        self._shipped = shipped
        self._made = made

    def path(self, subject: Subject, form: str) -> Path:
        """The file, created if needed."""
        name = form_file(subject.name, form)
        if (self._shipped / name).exists():
            return self._shipped / name
        path = self._made / name
        if not path.exists():
            metadata = model_metadata(subject.model, subject.name, LESSON_WORDS)
            proto = FORMS[form].build(subject.model, metadata)
            path.write_bytes(proto.SerializeToString())
        return path

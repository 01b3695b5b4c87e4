"""The file of each form: the shipped one if there is one, else one that is made on demand."""

from __future__ import annotations

from pathlib import Path

from export.forms.catalogue import FORMS, form_file
from export.graph import model_metadata
from export.parity.subjects import Subject
from export.runtimes.folders import FOLDER
from model.gpt2.folder import folder_files
from model.parameters import weights_of
from model.vocabulary import LESSON_WORDS
from model.whole_file import write_whole


class FormFiles:
    """Paths of files by weights and form.

    shipped: the folder of existing files; a file found there is used, whatever it contains.
    made: the folder where others are written.
    """

    def __init__(self, shipped: Path, made: Path) -> None:
        self._shipped = shipped
        self._made = made

    def path(self, subject: Subject, form: str) -> Path:
        """The file, or the folder of form `FOLDER`, created if needed."""
        if form == FOLDER:
            return self._folder(subject)
        name = form_file(subject.name, form)
        if (self._shipped / name).exists():
            return self._shipped / name
        path = self._made / name
        if not path.exists():
            metadata = model_metadata(subject.model, subject.name, LESSON_WORDS)
            proto = FORMS[form].build(subject.model, metadata)
            path.write_bytes(proto.SerializeToString())
        return path

    def _folder(self, subject: Subject) -> Path:
        folder = self._made / f"{subject.name}_{FOLDER}"
        if not folder.exists():
            model = subject.model
            # Loaders that read text need words, and the seeded random network has none.
            vocabulary = model.vocabulary or LESSON_WORDS
            folder.mkdir()
            made = folder_files(model.config, weights_of(model), vocabulary, model.logits_with)
            made.write(folder, write_whole)
        return folder

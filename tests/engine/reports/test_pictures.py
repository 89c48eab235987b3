"""Page 1 against stored pictures: a page that moved or lost something is seen.

``python -m tests.engine.reports.test_pictures`` stores them anew, after someone has looked.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageFilter

from engine.reports import certificate

from . import samples
from .conftest import run

STORED = Path(__file__).parent / "pictures"
PAGES = ("certificate", "statement", "undecided", "crowded")
ALIKE = 2.0
"""Mean difference of grey values, of 255, that another version of the renderer may make."""


def page(name: str, folder: Path) -> Image.Image:
    """Page 1 in grey at 60 dots an inch."""
    state, result = samples.case("grant"), samples.granted()
    if name == "statement":
        state, result = samples.case(), samples.german()
    elif name == "undecided":
        state, result = samples.case(None), samples.german()
    elif name == "crowded":
        state, result = samples.crowded()
    path = folder / f"{name}.pdf"
    path.write_bytes(certificate.build(state=state, result=result, **samples.files(result)))
    run("pdftoppm", "-r", "60", "-gray", "-l", "1", "-singlefile", path, folder / name)
    return Image.open(folder / f"{name}.pgm")


@pytest.mark.parametrize("name", PAGES)
def test_page_one_looks_as_it_did(name: str, tmp_path: Path) -> None:
    def grey(picture: Image.Image) -> Any:
        copy = picture.convert("L").copy()
        # The QR code, lower right, changes with every byte of the result.
        copy.paste(255, (copy.width * 3 // 4, copy.height * 4 // 5, copy.width, copy.height))
        return np.asarray(copy.filter(ImageFilter.GaussianBlur(1.5)), dtype=float)

    now, then = grey(page(name, tmp_path)), grey(Image.open(STORED / f"{name}.png"))
    assert now.shape == then.shape
    assert np.abs(now - then).mean() < ALIKE
    blocks = np.abs(now - then)[: now.shape[0] // 20 * 20, : now.shape[1] // 20 * 20]
    blocks = blocks.reshape(now.shape[0] // 20, 20, -1, 20).mean(axis=(1, 3))
    assert blocks.max() < 40


if __name__ == "__main__":
    STORED.mkdir(exist_ok=True)
    with TemporaryDirectory() as place:
        for each in PAGES:
            page(each, Path(place)).save(STORED / f"{each}.png", optimize=True)

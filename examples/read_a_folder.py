"""Every photo of a folder read and scored: ``python examples/read_a_folder.py PHOTOS``.

Prints a line of JSON a photo: its name, its hand as far as the photo shows it, and what that is worth by ron,
with a default for all else that a photo cannot show; or what is wrong with it.
"""

import json
import sys
from pathlib import Path

from scorer import score_record
from vision import Reader
from vision.image import PhotoError

ENDINGS = {".jpg", ".jpeg", ".png", ".webp", ".heic"}


def main(folder: Path) -> None:
    """A line for each photo, in the order of their names."""
    if not folder.is_dir():
        sys.exit(f"{folder} is not a folder: name the folder of your photos.")
    reader = Reader()  # the networks are loaded once
    for file in sorted(file for file in folder.iterdir() if file.suffix.lower() in ENDINGS):
        try:
            reading = reader.read(file)
        except PhotoError as error:
            print(json.dumps({"photo": file.name, "status": "error", "message": str(error)}), flush=True)
            continue
        line = {"photo": file.name, "status": reading.status, "hand": reading.hand}
        if reading.status == "ok" and reading.hand is not None:
            result = score_record({"tsumo": False, **reading.hand})
            line["worth"] = result["in_words"] if result["status"] == "ok" else result["message"]
        else:
            line["message"] = reading.message
        print(json.dumps(line), flush=True)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]))

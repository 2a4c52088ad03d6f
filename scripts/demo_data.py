"""Write scikit-learn's breast cancer data as two CSV files: rows to learn from, and new rows to predict."""

from __future__ import annotations

import argparse
from pathlib import Path

from sklearn.datasets import load_breast_cancer

EVERY = 5  # one row in five is kept for prediction


def write_demo(folder: Path) -> tuple[Path, Path]:
    """Write tumours.csv and new.csv below `folder`: 30 measurements a row and the column `diagnosis`."""
    folder.mkdir(parents=True, exist_ok=True)
    data = load_breast_cancer()
    header = [*data.feature_names, "diagnosis"]
    lines = [
        ",".join([*map(repr, row.tolist()), str(data.target_names[label])])
        for row, label in zip(data.data, data.target, strict=True)
    ]
    learn, new = folder / "tumours.csv", folder / "new.csv"
    kept = [line for number, line in enumerate(lines) if number % EVERY]
    held = [line for number, line in enumerate(lines) if not number % EVERY]
    for path, rows in ((learn, kept), (new, held)):
        path.write_text("\n".join([",".join(header), *rows]) + "\n", encoding="utf-8")
    return learn, new


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    learn, new = write_demo(parser.parse_args().folder)
    print(f"Measurements of tumours: {learn} to learn from, {new} to predict.")


if __name__ == "__main__":
    main()

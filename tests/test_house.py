"""The house rules that a tool can check: layers, imports, style, types, lock files."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def _run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(arguments, cwd=ROOT, capture_output=True, text=True, timeout=600)


def _tool(name: str) -> str:
    return str(Path(sys.executable).parent / name)


def test_layers_of_the_engine_hold() -> None:
    done = _run(_tool("lint-imports"), "--no-cache")
    assert done.returncode == 0, done.stdout + done.stderr


def test_ruff_finds_nothing() -> None:
    done = _run(_tool("ruff"), "check", "--no-cache", ".")
    assert done.returncode == 0, done.stdout


def test_mypy_finds_nothing() -> None:
    done = _run(_tool("mypy"))
    assert done.returncode == 0, done.stdout


def _modules() -> list[str]:
    import engine

    return [m.name for m in pkgutil.walk_packages(engine.__path__, "engine.")]


def test_every_engine_module_imports_without_qt() -> None:
    code = (
        "import sys, importlib\n"
        "class Block:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.split('.')[0] in ('PySide6', 'shiboken6', 'gui'):\n"
        "            raise ImportError(name + ' is not for the engine')\n"
        "sys.meta_path.insert(0, Block())\n"
        f"for name in {_modules()!r}: importlib.import_module(name)\n"
        "assert 'matplotlib.pyplot' not in sys.modules, 'pyplot was imported'\n"
    )
    done = _run(sys.executable, "-c", code)
    assert done.returncode == 0, done.stderr


def test_engine_has_no_clock_no_global_random_state_no_pickle() -> None:
    faults = []
    for path in (ROOT / "engine").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                called = ast.unparse(node.func)
                if (
                    called
                    in {
                        "eval",
                        "exec",
                        "pickle.loads",
                        "pickle.load",
                        "joblib.load",
                        "np.random.seed",
                        "np.random.rand",
                        "random.random",
                        "random.seed",
                        "datetime.now",
                        "datetime.datetime.now",
                        "date.today",
                        "datetime.date.today",
                        "time.time",
                    }
                    and path.name != "cli.py"
                ):
                    faults.append(f"{path.relative_to(ROOT)}:{node.lineno}: {called}")
                if any(
                    k.arg == "allow_pickle" and getattr(k.value, "value", None)
                    for k in node.keywords
                ):
                    faults.append(f"{path.relative_to(ROOT)}:{node.lineno}: allow_pickle")
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-test.lock"])
def test_lock_has_hashes_and_no_addresses(lock: str) -> None:
    text = (ROOT / "packaging" / lock).read_text(encoding="utf-8")
    assert "://" not in text and "--index" not in text and " @ " not in text
    entries = re.findall(r"^[\w.\-\[\]]+==", text, flags=re.M)
    assert len(entries) > 30
    for block in re.split(r"^(?=[\w.\-\[\]]+==)", text, flags=re.M)[1:]:
        assert "--hash=sha256:" in block, block.splitlines()[0]


def test_messages_are_filled_and_coded_by_room() -> None:
    import engine.messages

    for info in pkgutil.iter_modules(engine.messages.__path__):
        texts = importlib.import_module(f"engine.messages.{info.name}").TEXTS
        for code, text in texts.items():
            assert code.startswith(f"{info.name}."), code
            assert (
                text.strip() and "please" not in text.lower() and "successfully" not in text.lower()
            ), code

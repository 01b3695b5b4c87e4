"""`python -m bench.decode`: the time of one token, in MiniGPT and in other engines (peers).

Writes ui/measured/decode.json, which the page shows, after each size, resumes an interrupted run,
and prints a Markdown table. `--prepare` only makes the peers' environments.
"""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import MappingProxyType
from typing import Any

from model.command_line import Parser
from model.console import Console, check_folder, packages_needed
from model.errors import InputError

with packages_needed(__name__):
    import bench.peers
    from bench.eight_bits import eight_bit_error
    from bench.interleaving import Ask, Timed, interleaved, together
    from bench.machine import load_average, machine
    from bench.page_cost import page_cost
    from bench.peers.declaration import Peer
    from bench.peers.process import PeerError, PeerProcess
    from bench.results import OURS, Results, summary
    from bench.sizes import SIZES, Size, prompt, write_weights
    from bench.table import table
    from export.runtimes.environments import default_root, make
    from ui.measured import DECODE

STARTS = 3  # of every process: its memory layout, which varies, changes times by 3 %
ROUNDS = 2  # after each start
BUDGET = 3.0  # seconds for one peer in one group, after each start
_WARM_STEPS = 3


def main(arguments: list[str] | None = None) -> None:
    """Run the command line."""
    console = Console.of(arguments)
    options = _options(console, arguments)
    try:
        _measure_all(options, console)
    except (InputError, OSError, KeyboardInterrupt) as error:
        sys.exit(console.refuse(error))


def _options(console: Console, arguments: list[str] | None) -> argparse.Namespace:
    parser = _parser(console)
    options = parser.parse_args(arguments)
    names = [size.name for size in SIZES]
    for given, known in (
        (options.sizes, set(names)),
        (options.peers, {peer.name for peer in all_peers()}),
    ):
        unknown = ", ".join(sorted(set(filter(None, given.split(","))) - known))
        if unknown:
            parser.error(
                console.text("bench.unknown", unknown=unknown, known=", ".join(sorted(known)))
            )
    return options


def _parser(console: Console) -> Parser:
    text, names = console.text, [size.name for size in SIZES]
    described = text("bench.decode_describe")
    parser = Parser(console, prog="python -m bench.decode", description=described)

    def add(
        option: str, /, values: Mapping[str, object] = MappingProxyType({}), **how: Any
    ) -> None:
        key = f"bench.decode_help_{option.strip('-').replace('-', '_')}"
        parser.add_argument(option, help=text(key, **values), **how)

    add("--out", type=Path, default=DECODE)
    add("--sizes", {"listed": ", ".join(names)}, default=",".join(names))
    add("--peers", default="")
    add("--starts", type=parser.count, default=STARTS)
    add("--rounds", type=parser.count, default=ROUNDS)
    add("--budget", type=parser.number, default=BUDGET)
    add("--scratch", type=Path)
    add("--env-root", type=Path, default=default_root())
    add("--fresh", action="store_true")
    add("--prepare", action="store_true")
    return parser


def _measure_all(options: argparse.Namespace, console: Console) -> None:
    check_folder(options.out.parent)  # now, since the first result takes minutes
    results = Results(options.out, options.fresh)
    peers = prepared(chosen_peers(options.peers), options.env_root, results, console)
    if options.prepare:
        return
    results.data["machine"] = machine() | {"load_at_start": load_average()}
    with ExitStack() as stack:
        scratch = options.scratch or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        for size in SIZES:
            if size.name in options.sizes.split(","):
                Measurement(size, peers, results, scratch / size.name, options, console).run()
    console.write(table(results.data))


def all_peers() -> Iterator[Peer]:
    """Every peer declared by a module of `bench.peers`."""
    for found in pkgutil.iter_modules(bench.peers.__path__):
        if found.name not in ("declaration", "gpt2_of", "process", "worker"):
            yield from importlib.import_module(f"bench.peers.{found.name}").PEERS


def chosen_peers(names: str) -> list[Peer]:
    """Our peer first (others use its files), then all others, or those in `names`."""
    wanted = set(names.split(",")) if names else None
    peers = [peer for peer in all_peers() if wanted is None or peer.name in {*wanted, OURS}]
    return sorted(peers, key=lambda peer: peer.name != OURS)


def prepared(
    peers: Sequence[Peer], env_root: Path, results: Results, console: Console
) -> list[Peer]:
    """The peers whose environment exists or can be made; the others are recorded as missing."""
    ready: list[Peer] = []
    for peer in peers:
        results.data["titles"][peer.name] = peer.title
        try:
            console.say("bench.environment", name=peer.name)
            make(peer.environment, env_root)
            ready.append(peer)
            results.data["missing"].pop(peer.name, None)
        except subprocess.CalledProcessError as error:
            lines = [line for line in (error.output or "").splitlines() if line.strip()]
            results.data["missing"][peer.name] = f"not installed: {lines[-1] if lines else error}"
    return ready


class Measurement:
    """All measurements of one size."""

    def __init__(
        self,
        size: Size,
        peers: Sequence[Peer],
        results: Results,
        scratch: Path,
        options: argparse.Namespace,
        console: Console,
    ) -> None:
        self.console = console
        self.size = size
        self.peers = [peer for peer in peers if peer.name not in size.without]
        self.results = results
        self.scratch = scratch
        self.options = options
        self.kept = options.scratch is not None

    def run(self) -> None:
        """Convert, load, measure each group, clean up."""
        if all(self._is_measured(group) for group in self._groups()):
            return
        self.results.data["sizes"][self.size.name] = {
            **self.size.sizes,
            "threads": self.size.threads,
        }
        if not (self.scratch / "weights").exists():
            write_weights(self.size, self.scratch / "weights")
        converted = [peer for peer in self.peers if self._converted(peer)]
        self._measure_eight_bits()
        wanted = [group for group in self._groups() if not self._is_measured(group)]
        starts = [self._started(converted, wanted) for _ in range(self.options.starts)]
        for number, group in enumerate(wanted):
            self._store([start[number] for start in starts], group)
        if self.size.sampled:
            self.results.data["page"] = page_cost()
        self.results.save()
        if not self.kept:
            shutil.rmtree(self.scratch)

    def _groups(self) -> Iterator[dict[str, Any]]:
        size = self.size
        for position in size.positions:
            yield {"measure": "step", "position": position, "batch": 1}
        if size.sampled:
            yield {"measure": "sampled", "position": 2, "batch": 1}
        if size.prefill:
            yield {"measure": "prefill", "position": size.prefill, "batch": 1}
        for batch in size.batches:
            yield {"measure": "step", "position": size.positions[0], "batch": batch}

    def _is_measured(self, group: dict[str, Any]) -> bool:
        return bool(self.results.cells(size=self.size.name, peer=OURS, **group))

    def _setup(self, peer: Peer) -> dict[str, Any]:
        folder = self.scratch / (peer.files or peer.name)
        folder.mkdir(parents=True, exist_ok=True)
        return {
            "sizes": self.size.sizes,
            "weights": str(self.scratch / "weights"),
            "scratch": str(folder),
            "threads": self.size.threads,
            "setting": peer.setting,
        }

    def _process(self, peer: Peer) -> PeerProcess:
        log = self.scratch / f"{peer.name}.log"
        return PeerProcess(peer, self.options.env_root, log, self.size.threads)

    def _converted(self, peer: Peer) -> bool:
        """Convert in a process of its own, so that its peak memory is the conversion's."""
        setup = self._setup(peer)
        done = Path(setup["scratch"]) / "converted"
        if done.exists():
            return True
        name = self.size.name
        self.console.say("bench.converting", size=name, peer=peer.name)
        try:
            with self._process(peer) as process:
                answer = process.ask("convert", **setup)
        except PeerError as error:
            self._fail(peer, error)
            return False
        done.touch()
        self.results.data["export"].setdefault(self.size.name, {})[peer.name] = {
            "seconds": round(answer["seconds"], 1),
            "peak_mb": round(answer["peak_mb"]),
        }
        return True

    def _loaded(self, peer: Peer, stack: ExitStack) -> PeerProcess | None:
        """A process with the peer loaded; its memory is measured after a few steps."""
        process = stack.enter_context(self._process(peer))
        size = self.size
        steps = min(_WARM_STEPS, size.steps)
        try:
            seconds = process.ask("load", **self._setup(peer))["seconds"]
            self.results.data["versions"][peer.name] = process.ask("version")["version"]
            longest = size.positions[-1] if not peer.recomputes else size.positions[0]
            token_ids = prompt(size, longest)
            process.ask("steps", token_ids=token_ids, count=steps, repeats=1)
            peak = process.ask("memory")["peak_mb"]
        except PeerError as error:
            self._fail(peer, error)
            return None
        self.results.data["memory"].setdefault(size.name, {})[peer.name] = {
            "load_seconds": round(seconds, 2),
            "peak_mb": round(peak),
        }
        return process

    def _started(
        self, peers: Sequence[Peer], groups: Sequence[dict[str, Any]]
    ) -> list[dict[str, Timed]]:
        """Restart every peer; returns the timings of each, by group."""
        with ExitStack() as stack:
            loaded = [process for peer in peers if (process := self._loaded(peer, stack))]
            return [self._measured(group, loaded) for group in groups]

    def _measured(self, group: dict[str, Any], loaded: Sequence[PeerProcess]) -> dict[str, Timed]:
        self.console.write(f"{self.size.name}: {group} …")
        plain = group["measure"] == "step" and group["batch"] == 1
        able = [process for process in loaded if plain or not process.peer.only_steps]
        return interleaved(able, self._question(group), self.options.rounds, self.options.budget)

    def _question(self, group: dict[str, Any]) -> Ask:
        size, token_ids = self.size, prompt(self.size, group["position"], group["batch"])

        def ask(process: PeerProcess) -> Any:
            if group["measure"] == "prefill":
                return process.ask("prefill", token_ids=token_ids)
            if group["measure"] == "sampled":
                count = size.config.context_length - group["position"]
                return process.ask(
                    "generate", token_ids=token_ids, count=count, repeats=size.repeats
                )
            long = process.peer.recomputes and size.repeats == 1
            steps = min(1 if long else size.steps, size.config.context_length - group["position"])
            return process.ask("steps", token_ids=token_ids, count=steps, repeats=size.repeats)

        return ask

    def _store(self, starts: Sequence[dict[str, Timed]], group: dict[str, Any]) -> None:
        """Add one cell per peer, from all its starts."""
        peers = dict.fromkeys(name for start in starts for name in start)
        timed = {name: together(start[name] for start in starts if name in start) for name in peers}
        for name in peers:
            self.results.add(self._cell(name, group, timed[name], timed.get(OURS)))

    def _cell(
        self, name: str, group: dict[str, Any], timed: Timed, ours: Timed | None
    ) -> dict[str, Any]:
        cell: dict[str, Any] = {"size": self.size.name, **group, "peer": name}
        if timed.failed or not timed.seconds:
            return cell | {"failed": timed.failed or "not measured"}
        cell |= summary(timed.seconds)
        if ours and ours.tokens and timed.tokens and name not in (OURS, "floor"):
            shared = min(len(ours.tokens), len(timed.tokens))
            cell["same_tokens"] = ours.tokens[:shared] == timed.tokens[:shared]
        return cell

    def _measure_eight_bits(self) -> None:
        exact, rounded = (
            self.scratch / name / "model.onnx" for name in ("mini-gpt", "mini-gpt-int8")
        )
        if exact.exists() and rounded.exists():
            self.results.data["eight_bits"][self.size.name] = eight_bit_error(exact, rounded)

    def _fail(self, peer: Peer, error: PeerError) -> None:
        name = self.size.name
        self.console.say("bench.left_out", size=name, peer=peer.name, error=error)
        missing = self.results.data["missing"]
        missing[f"{peer.name}, {self.size.name}"] = str(error)


if __name__ == "__main__":
    with packages_needed():
        main()

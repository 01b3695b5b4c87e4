"""A graph's nodes in topological order, looked up by the value they compute."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from onnx import NodeProto


class NodeList:
    """The nodes of one graph, for passes that replace some of them.

    Every value has one producer; a node comes after the producers of its inputs.
    """

    def __init__(self, nodes: Iterable[NodeProto]) -> None:
        self._nodes = list(nodes)

    def __iter__(self) -> Iterator[NodeProto]:
        return iter(list(self._nodes))  # a copy, so that a pass may change the list while iterating

    def computes(self, value: str) -> bool:
        """Whether a node of this graph computes `value`; weights and inputs are not computed."""
        return any(value in node.output for node in self._nodes)

    def producer(self, value: str) -> NodeProto:
        """The node that computes `value`.

        Raises:
            ValueError: no node does.
        """
        return self._nodes[self._place(value)]

    def reader(self, value: str) -> NodeProto:
        """The one node that reads `value`.

        Raises:
            ValueError: none does, or several do.
        """
        readers = [node for node in self._nodes if value in node.input]
        if len(readers) != 1:
            raise ValueError(f"{len(readers)} nodes read {value!r}, not one")
        return readers[0]

    def ancestor(self, value: str, op_type: str) -> NodeProto:
        """The nearest `op_type` node from the producer of `value` up along first inputs.

        Raises:
            ValueError: there is none; the exporter no longer writes what the pass expects.
        """
        node = self.producer(value)
        while node.op_type != op_type:
            node = self.producer(node.input[0])
        return node

    def replace(self, value: str, *nodes: NodeProto) -> None:
        """Replace the producer of `value` by `nodes`, the last of which must compute it."""
        place = self._place(value)
        self._nodes[place : place + 1] = nodes

    def insert_before(self, value: str, *nodes: NodeProto) -> None:
        """Insert `nodes` before the producer of `value`."""
        place = self._place(value)
        self._nodes[place:place] = nodes

    def drop(self, node: NodeProto) -> None:
        """Remove `node`; another node must compute its outputs."""
        self._nodes = [other for other in self._nodes if other is not node]

    def bypass(self, node: NodeProto) -> None:
        """Remove `node` and connect its first input to the readers of its first output."""
        self.drop(node)
        for reader in self._nodes:
            reader.input[:] = [
                node.input[0] if name == node.output[0] else name for name in reader.input
            ]

    def prune(self, outputs: Iterable[str]) -> None:
        """Remove every node that `outputs` do not depend on."""
        needed = set(outputs)
        kept: list[NodeProto] = []
        for node in reversed(self._nodes):
            if needed & set(node.output):
                needed |= set(node.input)
                kept.append(node)
        self._nodes = kept[::-1]

    def read_values(self) -> set[str]:
        """The names that some node reads."""
        return {name for node in self._nodes for name in node.input if name}

    def _place(self, value: str) -> int:
        for place, node in enumerate(self._nodes):
            if value in node.output:
                return place
        raise ValueError(f"no node computes {value!r}")

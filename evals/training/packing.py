"""What a trained transformer becomes to ship: weights of four bits, and a graph of the operators that multiply them."""

import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import onnx
import torch
from onnx import GraphProto, NodeProto, TensorProto, helper
from safetensors.torch import save_file
from torch import Tensor, nn

from ingestion.packed.transformer import INPUTS
from ingestion.packed.weights import GROUP, LOOKED_UP, SCALES, SHAPE, ZEROS
from ingestion.statement_encoder.encoder import WEIGHTS

BITS = 4
LEVELS = 2**BITS - 1
LEAST_SIZE = 500_000
"""Weights from which on a matrix is packed; of few, such as those of positions, each counts."""
LEAST_SCALE = 1e-8
"""Of a group whose weights are all alike."""
OPSET = 17
CONTRIBUTED = "com.microsoft"
"""Domain of ONNX Runtime's operators on packed matrices."""
ROUNDED_STATES = 4
"""Accuracy level at which states are multiplied in eight bits, the fastest there is."""


def packs(tensor: Tensor) -> bool:
    """Whether a weight is packed: a large matrix whose rows are made of whole groups."""
    return tensor.dim() == 2 and tensor.numel() >= LEAST_SIZE and tensor.shape[1] % GROUP == 0  # noqa: PLR2004 - a matrix


def pack(weights: Mapping[str, Tensor], path: Path) -> None:
    """Write weights: large matrices in four bits, all else in half precision.

    Args:
        weights: Tensors by name.
        path: Gets a safetensors file.
    """
    stored: dict[str, Tensor] = {}
    for name, tensor in weights.items():
        if packs(tensor):
            stored |= _packed(name, tensor.float())
        else:
            stored[name] = tensor.half().contiguous()
    save_file(stored, path)


def write_graph(model: nn.Module, field: str, output: str, path: Path) -> None:
    """Write the operators of a transformer; the values of its weights stay outside, where `pack` writes them.

    Args:
        model: Called with token ids and mask.
        field: What is taken from what it returns.
        output: The name it gets.
        path: Gets an ONNX file.
    """
    ids = torch.ones(2, 8, dtype=torch.int64)
    with warnings.catch_warnings():  # of the exporter that traces: the newer one needs another package and folds more
        warnings.simplefilter("ignore")
        torch.onnx.export(
            _Field(model.eval(), field),
            (ids, ids),
            path,
            input_names=list(INPUTS),
            output_names=[output],
            dynamic_axes={name: {0: "texts", 1: "tokens"} for name in (*INPUTS, output)},
            dynamo=False,
            opset_version=OPSET,
            do_constant_folding=False,
        )
    exported = onnx.load(path)
    weights = {f"{_Field.PREFIX}{name}": (name, tensor) for name, tensor in model.state_dict().items()}
    _point_outside(exported.graph, weights)
    exported.opset_import.append(helper.make_opsetid(CONTRIBUTED, 1))
    path.write_bytes(exported.SerializeToString(deterministic=True))


class _Field(nn.Module):
    """A model that returns one field of its output."""

    PREFIX = "model."

    def __init__(self, model: nn.Module, field: str) -> None:
        super().__init__()
        self.model, self._field = model, field

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        found: Tensor = getattr(self.model(ids, mask), self._field)
        return found


def _point_outside(graph: GraphProto, weights: Mapping[str, tuple[str, Tensor]]) -> None:
    """Let operators take their weights by the names they are stored under, those of packed matrices in four bits."""
    turned = {node.output[0]: node.input[0] for node in graph.node if node.op_type == "Transpose"}
    nodes, gone = [], set()
    for node in graph.node:
        matrix = next((turned.get(one, one) for one in node.input if turned.get(one, one) in weights), "")
        name, tensor = weights.get(matrix, ("", torch.empty(0)))
        if not packs(tensor) or node.op_type == "Transpose":
            nodes.append(node)
        elif node.op_type == "Gather":
            nodes.append(_looked_up(node, name))
        else:
            nodes += _products(node, name, tensor)
            gone |= set(node.input) & turned.keys()
    constants = [one for one in graph.initializer if one.name not in weights]
    outside = [one for name, tensor in weights.values() for one in _outside(name, tensor)]
    named = {matrix: name for matrix, (name, _) in weights.items()}
    for node in nodes:
        node.input[:] = [named.get(one, one) for one in node.input]
        node.ClearField("doc_string")  # where the exporter traced it
        node.ClearField("metadata_props")
    del graph.node[:], graph.initializer[:]
    graph.node.extend(node for node in nodes if not gone & set(node.output))
    used = {one for node in graph.node for one in node.input}
    graph.initializer.extend([*constants, *(one for one in outside if one.name in used)])


def _looked_up(node: NodeProto, name: str) -> NodeProto:
    """Rows of a packed matrix by their numbers."""
    inputs = [name, node.input[1], name + SCALES, name + ZEROS]
    options: dict[str, Any] = {"bits": BITS, "block_size": GROUP, "gather_axis": 0, "quantize_axis": 1}
    return helper.make_node("GatherBlockQuantized", inputs, node.output, node.name, domain=CONTRIBUTED, **options)


def _products(node: NodeProto, name: str, tensor: Tensor) -> Iterator[NodeProto]:
    """States times a packed matrix, and what is added to them."""
    rows, columns = tensor.shape
    bias = node.input[2:]
    product = f"{node.output[0]}.product" if bias else node.output[0]
    inputs = [node.input[0], name, name + SCALES, name + ZEROS]
    options: dict[str, Any] = {
        "K": columns,
        "N": rows,
        "bits": BITS,
        "block_size": GROUP,
        "accuracy_level": ROUNDED_STATES,
    }
    yield helper.make_node("MatMulNBits", inputs, [product], node.name, domain=CONTRIBUTED, **options)
    if bias:
        yield helper.make_node("Add", [product, *bias], node.output, f"{node.name}.bias")


def _outside(name: str, tensor: Tensor) -> Iterator[TensorProto]:
    """A weight, or the parts of a packed one, by kind and shape."""
    if not packs(tensor):
        yield _elsewhere(name, TensorProto.FLOAT, tensor.shape)
        return
    rows, columns = tensor.shape
    groups, size = columns // GROUP, GROUP * BITS // 8
    shape = (rows, groups * size) if name.endswith(LOOKED_UP) else (rows, groups, size)
    yield _elsewhere(name, TensorProto.UINT8, shape)
    yield _elsewhere(name + SCALES, TensorProto.FLOAT, (rows, groups))
    yield _elsewhere(name + ZEROS, TensorProto.UINT8, (rows, (groups + 1) // 2))


def _elsewhere(name: str, kind: int, shape: Any) -> TensorProto:  # noqa: ANN401 - torch's sizes and tuples
    tensor = TensorProto(name=name, data_type=kind, dims=list(shape), data_location=TensorProto.EXTERNAL)
    tensor.external_data.add(key="location", value=WEIGHTS)
    return tensor


def _packed(name: str, matrix: Tensor) -> dict[str, Tensor]:
    groups = matrix.reshape(-1, GROUP)
    low, high = groups.amin(1, keepdim=True).clamp(max=0), groups.amax(1, keepdim=True).clamp(min=0)
    scales = ((high - low) / LEVELS).clamp(min=LEAST_SCALE).half()
    zeros = (-low / scales.float()).round().clamp(0, LEVELS)
    levels = ((groups / scales.float()).round() + zeros).clamp(0, LEVELS).to(torch.uint8).reshape(-1, 2)
    return {
        name: levels[:, 0] | levels[:, 1] << BITS,
        name + SCALES: scales.flatten(),
        name + ZEROS: zeros.to(torch.uint8).flatten(),
        name + SHAPE: torch.tensor(matrix.shape),
    }

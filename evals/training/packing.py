"""What a transformer becomes to ship: weights of four bits, and a graph of the operators that multiply them.

What is learnt behind the packing lies beside it, in adapters of low rank (Dettmers et al., "QLoRA", 2023): a late round
changes weights by less than a step of four bits, or of eight, so that packing once more would round it away.
"""

import warnings
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

import onnx
import torch
from onnx import GraphProto, NodeProto, TensorProto, helper
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from transformers import BertConfig, BertModel

from graph.reader import OUTPUT as READ
from ingestion.encoder import model_folder
from ingestion.inference import GROUP, INPUTS, LOOKED_UP, SCALES, SHAPE, ZEROS
from ingestion.statement_encoder import OUTPUT as ENCODED
from ingestion.statement_encoder import WEIGHTS

BITS = 4
LEVELS = 2**BITS - 1
LEAST_SIZE = 500_000
"""Weights from which on a matrix is packed; of few, such as those of positions, each counts."""
RANK = 32
"""Of an adapter."""
DOWN, UP = ".down", ".up"
"""What the names of an adapter's matrices end in, of shapes `(columns, RANK)` and `(RANK, rows)`."""
LEAST_SCALE = 1e-8
"""Of a group whose weights are all alike."""
OPSET = 17
CONTRIBUTED = "com.microsoft"
"""Domain of ONNX Runtime's operators on packed matrices."""
LOWER_LAYERS = (4, 2)
"""Those of the embedding model from which wording is read."""
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


def unpacked(path: Path) -> dict[str, Tensor]:
    """Read weights as `pack` wrote them, in single precision: as they were but for what packing lost.

    Args:
        path: The file.
    """
    stored = load_file(path)
    found: dict[str, Tensor] = {}
    for name in [one.removesuffix(SCALES) for one in stored if one.endswith(SCALES)]:
        both, scales, zeros, shape = (stored.pop(name + ending) for ending in ("", SCALES, ZEROS, SHAPE))
        levels = torch.stack([both & LEVELS, both >> BITS], dim=1).reshape(-1, GROUP)
        found[name] = ((levels.float() - zeros[:, None]) * scales[:, None].float()).reshape(shape.tolist())
    return found | {name: one.float() for name, one in stored.items()}


def write_encoder_graph(encoder: nn.Module, path: Path) -> None:
    """Write the operators of a statement encoder, whose weights are packed.

    Args:
        encoder: Returns states.
        path: Gets an ONNX file, whose output is the mean of the last states of each text.
    """
    _write_graph(encoder, lambda found, seen: _mean(found.last_hidden_state, seen), ENCODED, path)


def write_reader_graph(reader: nn.Module, path: Path, adapted: Collection[str]) -> None:
    """Write the operators of a reader, whose weights are packed.

    Args:
        reader: Returns logits.
        path: Gets an ONNX file, whose output they are.
        adapted: Names of packed matrices that have an adapter.
    """
    _write_graph(reader, lambda found, _: found.logits, READ, path, adapted=adapted)


def write_sentence_graph(path: Path) -> None:
    """Write the operators of the embedding model, of which no weight is packed: they are read as they were published.

    Args:
        path: Gets an ONNX file, whose output is what `SentenceEncoder.encode_deep` returns.
    """
    config = BertConfig.from_pretrained(model_folder(), output_hidden_states=True)
    _write_graph(BertModel(config, add_pooling_layer=False), _several_layers, "vectors", path, packed=False)


Reading = Callable[[Any, Tensor], Tensor]
"""Takes what is wanted, a row for each text, from what a transformer returns and where there is a token."""


def _several_layers(found: Any, seen: Tensor) -> Tensor:  # noqa: ANN401 - the library's own for each model
    states = found.hidden_states
    largest = states[-1].masked_fill(seen[:, :, None] == 0, -torch.inf).amax(dim=1)
    parts = [*(_mean(states[number], seen) for number in (-1, *LOWER_LAYERS)), largest]
    return torch.cat([nn.functional.normalize(part, dim=1) for part in parts], dim=1)


def _mean(states: Tensor, seen: Tensor) -> Tensor:
    weights = seen[:, :, None].to(states.dtype)
    return (states * weights).sum(dim=1) / weights.sum(dim=1)


def _write_graph(
    model: nn.Module, read: Reading, output: str, path: Path, *, packed: bool = True, adapted: Collection[str] = ()
) -> None:
    """Write the operators of a transformer; the values of its weights stay outside, where `pack` writes them.

    Args:
        model: Called with token ids and mask.
        read: What is taken from what it returns.
        output: The name it gets.
        path: Gets an ONNX file.
        packed: Whether large matrices are in four bits.
        adapted: Names of those that have an adapter.
    """
    ids = torch.ones(2, 8, dtype=torch.int64)
    with warnings.catch_warnings():  # of the exporter that traces: the newer one needs another package and folds more
        warnings.simplefilter("ignore")
        torch.onnx.export(
            _Read(model.eval(), read),
            (ids, ids),
            path,
            input_names=list(INPUTS),
            output_names=[output],
            dynamic_axes={name: {0: "texts", 1: "tokens"} for name in INPUTS} | {output: {0: "texts"}},
            dynamo=False,
            opset_version=OPSET,
            do_constant_folding=False,
        )
    exported = onnx.load(path)
    weights = {f"{_Read.PREFIX}{name}": (name, tensor) for name, tensor in model.state_dict().items()}
    matrices = {name for name, tensor in model.state_dict().items() if packed and packs(tensor)}
    _point_outside(exported.graph, weights, matrices, adapted)
    exported.opset_import.append(helper.make_opsetid(CONTRIBUTED, 1))
    path.write_bytes(exported.SerializeToString(deterministic=True))


class _Read(nn.Module):
    """A model that returns what is taken of its output."""

    PREFIX = "model."

    def __init__(self, model: nn.Module, read: Reading) -> None:
        super().__init__()
        self.model, self._read = model, read

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        return self._read(self.model(ids, mask), mask)


def _point_outside(
    graph: GraphProto, weights: Mapping[str, tuple[str, Tensor]], packed: Collection[str], adapted: Collection[str]
) -> None:
    """Let operators take their weights by the names they are stored under, those of packed matrices in four bits."""
    turned = {node.output[0]: node.input[0] for node in graph.node if node.op_type == "Transpose"}
    nodes, gone = [], set()
    for node in graph.node:
        matrix = next((turned.get(one, one) for one in node.input if turned.get(one, one) in weights), "")
        name, tensor = weights.get(matrix, ("", torch.empty(0)))
        if name not in packed or node.op_type == "Transpose":
            nodes.append(node)
        elif node.op_type == "Gather":
            nodes.append(_looked_up(node, name))
        else:
            nodes += _products(node, name, tensor, adapted=name in adapted)
            gone |= set(node.input) & turned.keys()
    constants = [one for one in graph.initializer if one.name not in weights]
    outside = [one for name, tensor in weights.values() for one in _outside(name, tensor, packed=name in packed)]
    outside += [one for name, tensor in weights.values() if name in adapted for one in _adapter(name, tensor)]
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


def _products(node: NodeProto, name: str, tensor: Tensor, *, adapted: bool) -> Iterator[NodeProto]:
    """States times a packed matrix, and what is added to them."""
    rows, columns = tensor.shape
    (states, _, *added), (output,) = node.input, node.output
    inputs = [states, name, name + SCALES, name + ZEROS]
    options: dict[str, Any] = {
        "K": columns,
        "N": rows,
        "bits": BITS,
        "block_size": GROUP,
        "accuracy_level": ROUNDED_STATES,
    }
    if adapted:
        yield helper.make_node("MatMul", [states, name + DOWN], [output + DOWN], node.name + DOWN)
        yield helper.make_node("MatMul", [output + DOWN, name + UP], [output + UP], node.name + UP)
        added = [output + UP, *added]
    sums = [f"{output}.{number}" for number in range(len(added))] + [output]
    yield helper.make_node("MatMulNBits", inputs, sums[:1], node.name, domain=CONTRIBUTED, **options)
    for number, one in enumerate(added):
        yield helper.make_node("Add", [sums[number], one], [sums[number + 1]], f"{node.name}.{number}")


def _outside(name: str, tensor: Tensor, *, packed: bool) -> Iterator[TensorProto]:
    """A weight, or the parts of a packed one, by kind and shape."""
    if not packed:
        yield _elsewhere(name, TensorProto.FLOAT, tensor.shape)
        return
    rows, columns = tensor.shape
    groups, size = columns // GROUP, GROUP * BITS // 8
    shape = (rows, groups * size) if name.endswith(LOOKED_UP) else (rows, groups, size)
    yield _elsewhere(name, TensorProto.UINT8, shape)
    yield _elsewhere(name + SCALES, TensorProto.FLOAT, (rows, groups))
    yield _elsewhere(name + ZEROS, TensorProto.UINT8, (rows, (groups + 1) // 2))


def _adapter(name: str, tensor: Tensor) -> Iterator[TensorProto]:
    """The matrices of an adapter."""
    rows, columns = tensor.shape
    yield _elsewhere(name + DOWN, TensorProto.FLOAT, (columns, RANK))
    yield _elsewhere(name + UP, TensorProto.FLOAT, (RANK, rows))


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

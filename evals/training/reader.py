"""The recipe of the encoder that finds and the reader that decides: from the shops and the packs to their files."""

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import torch
from datasets import Dataset, DatasetDict
from peft import LoraConfig, LoraModel
from peft.tuners.lora import LoraLayer
from safetensors.torch import save_file
from sentence_transformers import (
    CrossEncoder,
    CrossEncoderTrainer,
    CrossEncoderTrainingArguments,
    SentenceTransformer,
    SentenceTransformerTrainer,
    SentenceTransformerTrainingArguments,
)
from sentence_transformers.base.sampler import BatchSamplers, DefaultBatchSampler, MultiDatasetBatchSamplers
from sentence_transformers.sentence_transformer.losses import MultipleNegativesRankingLoss
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy

from evals.training.packing import DOWN, RANK, UP, pack, packs, unpacked, write_encoder_graph, write_reader_graph
from evals.training.reader_examples import (
    READING,
    ReaderExample,
    ShopLessons,
    hard_negatives,
    made_up_shop,
    pack_examples,
    shop_examples,
    shop_names,
    written_messages,
)
from evals.training.recipe import Metrics
from graph.reader import ADAPTER, ANSWERS, OUTPUTS, SAID, SUPPORTED, TOLD, Calibration, Logits, probabilities
from ingestion.statement_encoder import GRAPH, WEIGHTS

HELD_BACK = ("music", "pets")
"""Shops that calibrate the reader and that its figures are of; it learns nothing from them."""
LATER = (
    *("angling", "crafts", "fitness", "gifts", "optics", "phones", "tools", "toys"),
    *("baking", "bedding", "heating", "lighting", "luggage", "printers", "security", "snowsports"),
)
"""Shops that were written when the reader had learnt from the others; its adapter is taught by them."""
DEMO_SHOP = Path(__file__).parents[2] / "app" / "demo" / "shop"
ENCODER_EPOCHS, ENCODER_RATE, ENCODER_BATCH, ENCODER_TOKENS, SCALE = 1, 2e-5, 40, 80, 20.0
LAYERS, FROZEN = 8, 2
"""Layers of the encoder that the reader begins with, and the lowest of them, which stay as they are."""
BATCH = 32
RATES, ADAPTER_RATE = (4e-5, 3e-5), 1e-4
"""Of the first two rounds, and of the adapter's; each goes over its examples once."""
FIRST, HELPING, INFERRED = 22_000, 2_200, 2_600
"""Examples of the first round, and of its pairs of packs those drawn that answer, or bear out, by degrees."""
LEFT, NEITHER = 2_500, 1_800
"""Drawn for the second round of what the first left, and of what said neither yes nor no in the first."""
ASKED, CLAIMED, STATED, POLAR, RANKED = 4_000, 1_500, 2_000, 300, 300
"""Drawn for a further round: questions of its shops, claims of the others, and pairs of packs, kind by kind."""
LORA = "lora_"
"""What the names of an adapter's matrices hold in training."""
WARMUP = 0.05
SORTED_BATCHES = 40
"""Batches whose pairs are sorted by length among themselves, so that little is padded."""
MAX_TOKENS = 128
SEED = 0
ENCODER, READER, CALIBRATION = "encoder", "reader", "calibration.json"


@dataclass(frozen=True, slots=True)
class Lessons:
    """All that is learnt from, and what is held back."""

    taught: Sequence[ShopLessons]
    packs: Sequence[ReaderExample]
    held: Mapping[str, ShopLessons]
    later: Sequence[ShopLessons] = ()


def read_lessons(bench: Path) -> Lessons:
    """Read the shops and the packs.

    Raises:
        InputError: A pack is missing or malformed.
    """
    files = {"larkspur": DEMO_SHOP, "dummyjson": bench / "shop-dummyjson" / "shop"}
    packs = list(pack_examples(bench))
    own = {name: made_up_shop(name) for name in shop_names()}
    taught = [one for name, one in own.items() if name not in {*HELD_BACK, *LATER}]
    return Lessons(
        [*taught, *written_messages(bench / READING, files)],
        packs,
        {name: own[name] for name in HELD_BACK},
        [own[name] for name in LATER],
    )


def train_encoder(lessons: Lessons, base: Path, folder: Path) -> SentenceTransformer:
    """Teach an encoder to find, and write it whole and as the packed weights that ship.

    Args:
        lessons: What it learns from.
        base: The model it begins as, such as all-mpnet-base-v2, which became the statement encoder.
        folder: Gets a folder for it, `weights.safetensors` and `graph.onnx`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    encoder = _taught_encoder([*lessons.taught, *lessons.later], base, folder)
    encoder.save(str(folder / ENCODER))
    transformer: Any = encoder[0]
    weights = {name: one for name, one in transformer.auto_model.state_dict().items() if not name.startswith("pooler.")}
    pack(weights, folder / WEIGHTS)
    write_encoder_graph(transformer.auto_model, folder / GRAPH)
    return encoder


def train(lessons: Lessons, base: Path, folder: Path) -> Mapping[str, Metrics]:
    """Teach an encoder to find, mine what sounds close with it, and teach the reader, which begins as that encoder.

    Args:
        lessons: What they learn from.
        base: The model both begin as.
        folder: Gets a folder for the encoder, whole, and one for the reader, whole and as it ships: what the settings
            `encoder` and `reader` may name.

    Returns:
        The reader's figures on the shops that were held back.
    """
    random = Random(SEED)  # noqa: S311 - nothing secret
    encoder = train_encoder(lessons, base, folder)

    def examples_of(shops: Iterable[ShopLessons]) -> list[ReaderExample]:
        return [one for shop in shops for one in shop_examples(shop, hard_negatives(shop, encoder, random), random)]

    shops = examples_of(lessons.taught)
    model = _begun_reader(folder / ENCODER)
    for examples, rate in zip(rounds(shops, lessons.packs, random), RATES, strict=True):
        _teach(model, examples, rate, folder)
    (folder / READER).mkdir(exist_ok=True)
    transformer: Any = model.model
    taught = adapted(transformer)
    write_reader_graph(transformer, folder / READER / GRAPH, taught)
    pack(transformer.state_dict(), folder / READER / WEIGHTS)
    transformer.load_state_dict(unpacked(folder / READER / WEIGHTS))
    whole = _begin_adapter(transformer)
    _teach(model, further_round(examples_of(lessons.later), shops, lessons.packs, random), ADAPTER_RATE, folder)
    held = {name: examples_of([shop]) for name, shop in lessons.held.items()}
    logits = {name: _logits(model, rows) for name, rows in held.items()}
    every = [one for rows in held.values() for one in rows]
    calibration = calibrated(every, np.concatenate(list(logits.values())))
    save_file(_adapter(transformer), folder / READER / ADAPTER)
    whole.merge_and_unload()
    model.save_pretrained(str(folder / READER))
    (folder / READER / CALIBRATION).write_text(json.dumps(calibration, indent=1) + "\n", encoding="utf-8")
    return {name: measured(rows, logits[name], calibration) for name, rows in held.items()}


def _taught_encoder(shops: Sequence[ShopLessons], base: Path, work: Path) -> SentenceTransformer:
    """A sentence embedding model, taught to bring messages near to what answers them, and far from what answers others.

    Each batch is of one shop, so that the others are about the same things. In the second round each message also
    stands beside a sentence that the model of the first takes for near and that does not answer.
    """
    model = SentenceTransformer(str(base), device="cpu")
    model.max_seq_length = ENCODER_TOKENS
    random = Random(SEED)  # noqa: S311 - nothing secret
    for mined in (False, True):
        pairs = {
            str(number): Dataset.from_list(_triplets(shop, model, random) if mined else _pairs(shop))
            for number, shop in enumerate(shops)
        }
        arguments = SentenceTransformerTrainingArguments(
            output_dir=str(work / "encoder-run"),
            num_train_epochs=ENCODER_EPOCHS,
            per_device_train_batch_size=ENCODER_BATCH,
            learning_rate=ENCODER_RATE,
            batch_sampler=BatchSamplers.NO_DUPLICATES,
            multi_dataset_batch_sampler=MultiDatasetBatchSamplers.PROPORTIONAL,
            **_shared_arguments(),
        )
        loss = MultipleNegativesRankingLoss(
            model, scale=SCALE, directions=("query_to_doc", "doc_to_query"), partition_mode="per_direction"
        )
        SentenceTransformerTrainer(model=model, args=arguments, train_dataset=DatasetDict(pairs), loss=loss).train()
    return model


def _pairs(shop: ShopLessons) -> list[dict[str, str]]:
    """Every message of a shop beside what answers it."""
    return [{"message": one.text, "sentence": one.sentence} for one in shop.questions]


def _triplets(shop: ShopLessons, model: SentenceTransformer, random: Random) -> list[dict[str, str]]:
    """The same with what sounds close, where there is something."""
    near = hard_negatives(shop, model, random)
    return [pair | {"near": others[0]} for pair, others in zip(_pairs(shop), near, strict=True) if others]


def rounds(
    shops: Sequence[ReaderExample], packs: Sequence[ReaderExample], random: Random
) -> tuple[list[ReaderExample], list[ReaderExample]]:
    """What is learnt first, and what then.

    First a mixture of all there is. Then all statements beside what bears them out or does not, and once more what says
    yes or no, for of these a mixture has too little; with some of what was left, so that the rest is not forgotten.
    """
    statements = [one for one in packs if one.supported is not None]
    helping = [one for one in packs if one.supported is None and one.said is None]
    said = [one for one in packs if one.supported is None and one.said is not None]
    mixed = [
        *shops,
        *said,
        *random.sample(helping, min(HELPING, len(helping))),
        *random.sample(statements, min(INFERRED, len(statements))),
    ]
    random.shuffle(mixed)
    first, left = mixed[:FIRST], mixed[FIRST:]
    neither = [one for one in mixed if one.said == "neither" and one.supported is None]
    again = [one for one in mixed if one.said not in {None, "neither"} or one.supported is not None]
    drawn = [*random.sample(left, min(LEFT, len(left))), *random.sample(neither, min(NEITHER, len(neither)))]
    then = list(dict.fromkeys([*drawn, *again, *statements]))
    random.shuffle(then)
    return first, then


def further_round(
    later: Sequence[ReaderExample], before: Sequence[ReaderExample], packs: Sequence[ReaderExample], random: Random
) -> list[ReaderExample]:
    """What later shops state and what says yes or no there, with some of their questions and of what came before."""
    asked = [one for one in later if one.supported is None and one.said in {None, "neither"}]
    claims = [one for one in before if one.supported is not None]
    stated = [one for one in packs if one.supported is not None]
    said = [one for one in packs if one.supported is None and one.said is not None]
    helping = [one for one in packs if one.supported is None and one.said is None]
    drawn = zip((asked, claims, stated, said, helping), (ASKED, CLAIMED, STATED, POLAR, RANKED), strict=True)
    known = set(asked)
    found = [one for one in later if one not in known]
    found += [one for kind, most in drawn for one in random.sample(kind, min(most, len(kind)))]
    random.shuffle(found)
    return found


def _begun_reader(base: Path) -> CrossEncoder:
    """The lowest layers of an encoder with a classifier of the reader's outputs, those below frozen."""
    model: CrossEncoder = CrossEncoder(
        str(base), num_labels=len(OUTPUTS), max_length=MAX_TOKENS, device="cpu", activation_fn=nn.Identity()
    )
    transformer: Any = model.model
    layers = transformer.base_model.encoder.layer[:LAYERS]
    transformer.base_model.encoder.layer, transformer.config.num_hidden_layers = layers, len(layers)
    for part in _frozen(transformer):
        part.requires_grad_(requires_grad=False)
    return model


def adapted(model: nn.Module) -> list[str]:
    """Names of a reader's packed matrices that have an adapter: those of states, above what is frozen."""
    encoder: Any = model
    frozen = {id(one) for part in _frozen(encoder) for one in part.modules()}
    return [
        f"{name}.weight"
        for name, one in model.named_modules()
        if isinstance(one, nn.Linear) and id(one) not in frozen and packs(one.weight)
    ]


def _frozen(model: Any) -> list[nn.Module]:  # noqa: ANN401 - the library's own
    return [model.base_model.embeddings, *model.base_model.encoder.layer[:FROZEN]]


def _begin_adapter(model: Any) -> LoraModel:  # noqa: ANN401 - as above
    """Matrices of low rank beside the packed ones, which stay as they are (Hu et al., "LoRA", 2021).

    What is not packed is tuned itself.
    """
    modules = [name.removesuffix(".weight") for name in adapted(model)]
    tuned = [one for one in model.parameters() if one.requires_grad and not packs(one)]
    whole = LoraModel(model, LoraConfig(r=RANK, lora_alpha=RANK, target_modules=modules), "default")
    for one in tuned:
        one.requires_grad_()
    return whole


def _adapter(model: nn.Module) -> dict[str, Tensor]:
    """What was tuned beside the packed matrices, in half precision."""
    tuned = {name: one for name, one in model.named_parameters() if one.requires_grad and LORA not in name}
    found: dict[str, Tensor] = {name.replace(".base_layer", ""): one for name, one in tuned.items()}
    for name, one in model.named_modules():
        if isinstance(one, LoraLayer):
            for end, modules in ((DOWN, one.lora_A), (UP, one.lora_B)):
                found |= {f"{name}.weight{end}": matrix.T for matrix in modules.parameters()}
    return {name: one.detach().half().contiguous() for name, one in found.items()}


def _teach(model: CrossEncoder, examples: Sequence[ReaderExample], rate: float, work: Path) -> None:
    """One round."""
    arguments = CrossEncoderTrainingArguments(
        output_dir=str(work / "reader-run"),
        num_train_epochs=1,
        per_device_train_batch_size=BATCH,
        learning_rate=rate,
        batch_sampler=ByLength,
        **_shared_arguments(),
    )
    data = Dataset.from_dict(
        {
            "first": [one.first for one in examples],
            "second": [one.second for one in examples],
            "label": [label(one) for one in examples],
        }
    )
    CrossEncoderTrainer(model=model, args=arguments, train_dataset=data, loss=KnownOutputs(model)).train()


def _shared_arguments() -> dict[str, Any]:
    """What both trainers are told."""
    return {
        "lr_scheduler_type": "linear",
        "warmup_steps": WARMUP,
        "bf16": True,
        "use_cpu": not torch.cuda.is_available(),
        "save_strategy": "no",
        "report_to": "none",
        "seed": SEED,
    }


def label(example: ReaderExample) -> list[float]:
    """What is known of an example, in the order of the outputs; not a number where nothing is."""
    unknown = math.nan
    said = [float(example.said == name) if example.said else unknown for name in SAID]
    answers = unknown if example.answers is None else example.answers
    supported = unknown if example.supported is None else float(example.supported)
    return [answers, *said, supported]


class KnownOutputs(nn.Module):
    """The sum over the outputs of which an example knows the right value, averaged over examples."""

    def __init__(self, model: CrossEncoder) -> None:
        super().__init__()
        self.model = model

    def forward(self, inputs: Sequence[Sequence[str]], labels: Sequence[Tensor]) -> Tensor:
        """The loss of a batch: columns of first and second texts, and of each example the right outputs."""
        encoder: Any = self.model
        tokens = encoder.tokenizer(
            *map(list, inputs), padding=True, truncation="longest_first", max_length=MAX_TOKENS, return_tensors="pt"
        )
        logits: Tensor = encoder.model(**tokens.to(encoder.device)).logits.float()
        known = torch.stack(list(labels)).to(logits)
        total = logits.sum() * 0
        for at in (ANSWERS, SUPPORTED):
            rows = ~known[:, at].isnan()
            total = total + binary_cross_entropy_with_logits(logits[rows, at], known[rows, at], reduction="sum")
        rows = ~known[:, TOLD.start].isnan()
        total = total + cross_entropy(logits[rows, TOLD], known[rows, TOLD].argmax(1), reduction="sum")
        return total / len(known)


class ByLength(DefaultBatchSampler):
    """Batches of pairs of like length, in another order each epoch."""

    def __init__(self, dataset: Dataset, batch_size: int, **_: Any) -> None:  # noqa: ANN401 - what the trainer adds
        self._sizes = [len(a) + len(b) for a, b in zip(dataset["first"], dataset["second"], strict=True)]
        self.batch_size, self.epoch = batch_size, 0

    def set_epoch(self, epoch: int) -> None:
        """Order the batches of another epoch."""
        self.epoch = epoch

    def __len__(self) -> int:
        return math.ceil(len(self._sizes) / self.batch_size)

    def __iter__(self) -> Iterator[list[int]]:
        random = Random(SEED + self.epoch)  # noqa: S311 - nothing secret
        order = list(range(len(self._sizes)))
        random.shuffle(order)
        batches: list[list[int]] = []
        for part in _parts(order, self.batch_size * SORTED_BATCHES):
            batches += _parts(sorted(part, key=self._sizes.__getitem__), self.batch_size)
        random.shuffle(batches)
        yield from batches


def _parts(items: list[int], size: int) -> Iterator[list[int]]:
    return (items[at : at + size] for at in range(0, len(items), size))


def _logits(model: CrossEncoder, examples: Sequence[ReaderExample]) -> Logits:
    pairs = [(one.first, one.second) for one in examples]
    return np.asarray(model.predict(pairs, batch_size=BATCH, show_progress_bar=False), dtype=np.float64)


SLOPES = np.arange(0.3, 1.55, 0.05)


def calibrated(examples: Sequence[ReaderExample], logits: Logits) -> Calibration:
    """Fit the calibration to pairs that were not learnt from (Platt scaling; one temperature for what is said)."""
    from scipy.special import log_softmax  # noqa: PLC0415 - heavy, with the next
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415

    found: dict[str, list[float]] = {}
    known: Mapping[str, Callable[[ReaderExample], float | bool | None]] = {
        "answers": lambda one: one.answers,
        "supported": lambda one: one.supported,
    }
    for name, read in known.items():
        rows = [at for at, one in enumerate(examples) if read(one) is not None]
        line = LogisticRegression(C=100.0)
        line.fit(logits[rows, OUTPUTS.index(name)][:, None], [bool(read(examples[at])) for at in rows])
        found[name] = [round(float(line.coef_[0, 0]), 4), round(float(line.intercept_[0]), 4)]
    told = [(at, SAID.index(one.said)) for at, one in enumerate(examples) if one.said]
    rows, right = [at for at, _ in told], [place for _, place in told]
    own = logits[rows, TOLD]
    likely = [log_softmax(slope * own, axis=1)[np.arange(len(own)), right].sum() for slope in SLOPES]
    return found | {"said": [round(float(SLOPES[int(np.argmax(likely))]), 2)]}


EVEN, SURE = 0.5, 0.75
"""A claim is accepted, and a yes or no said, from these probabilities on."""


def measured(examples: Sequence[ReaderExample], logits: Logits, calibration: Calibration) -> Metrics:
    """Figures over pairs from their logits.

    `answers AUROC` is of what answers against what sounds close, `claims balanced accuracy` over statements. Of the
    yes-or-no questions `yes or no` is the share whose answer is told right, `decided` that of which yes or no is sure,
    and `wrongly` of these the share that is decided wrongly.
    """
    from sklearn.metrics import balanced_accuracy_score, roc_auc_score  # noqa: PLC0415 - heavy

    found = probabilities(logits, calibration)
    asked = [at for at, one in enumerate(examples) if one.answers is not None]
    claimed = [at for at, one in enumerate(examples) if one.supported is not None]
    polar = [at for at, one in enumerate(examples) if one.said is not None and one.said != "neither"]
    said = found[polar, TOLD]
    right = said.argmax(axis=1) == [SAID.index(examples[at].said) for at in polar]
    sure = said[:, :2].max(axis=1) >= SURE
    answers = [examples[at].answers == 1 for at in asked]
    claims = [bool(examples[at].supported) for at in claimed]
    return {
        "answers AUROC": float(roc_auc_score(answers, found[asked, ANSWERS])),
        "claims balanced accuracy": float(balanced_accuracy_score(claims, found[claimed, SUPPORTED] >= EVEN)),
        "yes or no": float(right.mean()),
        "decided": float(sure.mean()),
        "wrongly": float(1 - right[sure].mean()) if sure.any() else 0.0,
        "n": len(examples),
    }

"""Whether this machine has what a model is served on."""

from pathlib import Path

from app.errors import AppError

DEVICES = Path("/dev")
GPUS = ("nvidia[0-9]*", "kfd", "dxg")
"""Device files: of NVIDIA's driver, of AMD's, and of either under WSL."""


class NoGpuError(AppError):
    """There is no GPU to serve a model on."""

    def __init__(self) -> None:
        super().__init__(
            "No GPU was found on this machine, and vLLM needs one. Run the model elsewhere (`footnote vllm` prints the "
            "command) and name it with FOOTNOTE_LLM__BASE_URL and FOOTNOTE_LLM__MODEL, or use `make run`, which needs "
            "no model."
        )


def has_gpu(devices: Path = DEVICES) -> bool:
    """Whether a driver shows a GPU."""
    return any(next(devices.glob(pattern), None) for pattern in GPUS)


def require_gpu(devices: Path = DEVICES) -> None:
    """Refuse a machine without a GPU.

    Raises:
        NoGpuError: There is none.
    """
    if not has_gpu(devices):
        raise NoGpuError

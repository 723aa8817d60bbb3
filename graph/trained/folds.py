"""Folds: which examples a cross-validation holds back together."""

import zlib

FOLDS = 5


def fold_of(key: str) -> int:
    """The fold of all examples that share a key, such as a product's id; a new example moves no other."""
    return zlib.crc32(key.encode()) % FOLDS


def inner_fold_of(key: str) -> int:
    """A second fold, which has nothing to do with the first: for a cross-validation within one."""
    return zlib.crc32(key.encode()) // FOLDS % FOLDS

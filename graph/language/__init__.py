"""Words: tokens, stems, numbers and the frames of English sentences."""

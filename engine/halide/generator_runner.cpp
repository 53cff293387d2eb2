// SPDX-License-Identifier: MIT
// The main() comes from Halide's GenGen archive. A program needs one source of its own.

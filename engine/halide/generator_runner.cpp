// SPDX-License-Identifier: MIT
// This file is empty: main() comes from Halide's GenGen archive, but a program needs a source file.

// SPDX-License-Identifier: MIT
// Nothing to compile: the precompiled Halide.h of all samples belongs to this file's target.

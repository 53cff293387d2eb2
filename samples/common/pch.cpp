// SPDX-License-Identifier: MIT
// Empty on purpose: the precompiled Halide.h of all samples belongs to this file's target.

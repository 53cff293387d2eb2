// SPDX-License-Identifier: MIT
#pragma once

#include "engine/halide/import/import.h"

#include <Halide.h>

namespace tessera::halide {

// Takes away every schedule that the file has and puts each func into memory of its own on the
// host: loops in the order of the definition, no vectors, so that nothing is computed twice and
// deep pipelines still lower. What has no bounds (a table read by an unbounded index) stays
// inlined. `pipeline` is a fresh copy of the prepared one.
void makeReference(Halide::Pipeline &pipeline, const PreparedPipeline &prepared);

// What the reference runs on: each operation as it is written, so that what differs is the
// schedule's doing; or `fused`, products with sums, as targets do.
Halide::Target referenceTarget(bool fused = false);

} // namespace tessera::halide

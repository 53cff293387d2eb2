// SPDX-License-Identifier: MIT
#pragma once

#include "engine/halide/import/import.h"

#include <Halide.h>

namespace tessera::halide {

// Removes every schedule in the file and computes each func at root on the host: loops in the order
// of the definition, the outermost one parallel, no vectors. So nothing is computed twice, and deep
// pipelines can still be lowered. A func without bounds (a table read by an unbounded index) stays
// inlined. `pipeline` must be a fresh copy of the prepared one.
void makeReference(Halide::Pipeline &pipeline, const PreparedPipeline &prepared);

// The target of the reference. It performs each operation as written, so that any difference comes
// from the schedule. With `fused`, it fuses products with sums, as real targets do.
Halide::Target referenceTarget(bool fused = false);

} // namespace tessera::halide

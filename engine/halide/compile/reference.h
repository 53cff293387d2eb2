// SPDX-License-Identifier: MIT
#pragma once

#include "engine/halide/import/import.h"

#include <Halide.h>

namespace tessera::halide {

// How the pipeline without a schedule is computed.
struct ReferenceForm {
  // Performs each operation as written, so that any difference comes from the schedule. Otherwise
  // products are fused with sums, as on real targets, and what is stored loses its last bit.
  bool strict = true;
  bool reversedSums = false; // every sum that may be in another order begins at its end
  // fast_inverse() is an instruction of x86 with 12 right bits, and exact on a GPU. A schedule for
  // the host has the instruction too.
  bool approximateReciprocals = false;
  bool wideShifts = false; // see makeShiftsWide()
  bool parallel = true;    // the outermost loop of each func
};

// Removes every schedule in the file and computes each func at root on the host: loops in the order
// of the definition, no vectors. So nothing is computed twice, and deep pipelines can still be
// lowered. A func without bounds (a table read by an unbounded index) stays inlined. `pipeline`
// must be a fresh copy of the prepared one.
void makeReference(Halide::Pipeline &pipeline, const PreparedPipeline &prepared,
                   const ReferenceForm &form);

// The same target with what the form asks for.
Halide::Target referenceTarget(Halide::Target host, const ReferenceForm &form);

// Whether any func may shift by as many bits as a type has, or more.
bool mayShiftWide(const Halide::Pipeline &pipeline);

// The funcs with an update that Halide 21 performs wrongly in every schedule, since an element of
// the tuple reads an earlier one inside a call (HALIDE_TUPLES.md).
std::vector<std::string> wronglyUpdatedFuncs(const Halide::Pipeline &pipeline);

} // namespace tessera::halide

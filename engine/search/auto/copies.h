// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/schedule.h"

#include <optional>
#include <string>
#include <vector>

namespace tessera::search {

// A schedule with copies (wrappers) that are still inlined, so that nothing has changed.
struct WithCopies {
  schedule::Schedule schedule;
  std::vector<pipeline::FuncId> around; // funcs to place again, in the schedule's pipeline
};

// Adds copies of global memory, for each func that reads it several times in one evaluation. A copy
// in registers is shared by the points of a thread, one in shared memory by a block. Without a copy
// nothing is shared, because the compiler loads again after each store.
//
// `outputs` are those of the kernels to look at, the slowest first. At most `most` copies are
// added.
WithCopies withCopiesOfReads(const schedule::Schedule &schedule,
                             const std::vector<pipeline::FuncId> &outputs, std::size_t most);

// Adds copies, for all readers, of sums that are kernels of their own. The copy may then become the
// kernel. Each of its threads adds up its points in registers, or in an array if data choose the
// place, and only results go to global memory.
WithCopies withCopiesOfSums(const schedule::Schedule &schedule,
                            const std::vector<pipeline::FuncId> &outputs, std::size_t most);

// Adds copies that a sum may fetch for itself: of inputs, of kernels' outputs, and of inlined funcs
// that others read too.
WithCopies withCopiesForSum(const schedule::Schedule &schedule, pipeline::FuncId sum);

// The func has to exist.
pipeline::FuncId funcNamed(const pipeline::Pipeline &pipeline, const std::string &name);

// The func's copy for all readers, if it is still inlined.
std::optional<pipeline::FuncId> idleCopyOf(const schedule::Schedule &schedule,
                                           pipeline::FuncId func);

// The schedule without the copies that are still inlined.
schedule::Schedule withoutIdleCopies(const schedule::Schedule &schedule);

} // namespace tessera::search

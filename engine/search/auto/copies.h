// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/schedule.h"

#include <optional>
#include <string>
#include <vector>

namespace tessera::search {

// A schedule with copies (wrappers), inlined as yet, so that nothing has changed.
struct WithCopies {
  schedule::Schedule schedule;
  std::vector<pipeline::FuncId> around; // what to place anew, of the schedule's pipeline
};

// Copies of what kernels read of global memory, for each func that reads it several times in one
// evaluation: in the registers of a thread its points share them, in shared memory a block does.
// Without a copy they share nothing, as the compiler has to load again after each store.
//
// `outputs` are those of the kernels in question, most of the time first; at most so many copies.
WithCopies withCopiesOfReads(const schedule::Schedule &schedule,
                             const std::vector<pipeline::FuncId> &outputs, std::size_t most);

// Copies of sums that are kernels of their own, for all that read them. The copy may be the kernel
// instead: each of its threads adds up its points in registers, or in an array where data choose
// the place, and only results go to global memory.
WithCopies withCopiesOfSums(const schedule::Schedule &schedule,
                            const std::vector<pipeline::FuncId> &outputs, std::size_t most);

// Copies of what a sum alone may fetch: of inputs, of kernels, and of inlined funcs that others
// read as well.
WithCopies withCopiesForSum(const schedule::Schedule &schedule, pipeline::FuncId sum);

// One that the pipeline has.
pipeline::FuncId funcNamed(const pipeline::Pipeline &pipeline, const std::string &name);

// The copy for all readers that a func has, inlined as yet.
std::optional<pipeline::FuncId> idleCopyOf(const schedule::Schedule &schedule,
                                           pipeline::FuncId func);

// Without those of the copies that are still inlined.
schedule::Schedule withoutIdleCopies(const schedule::Schedule &schedule);

} // namespace tessera::search

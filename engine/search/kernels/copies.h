// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/access.h"
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

// For each func that reads a buffer in global memory several times in one evaluation, adds a copy
// of that buffer. The points of a thread share a copy in registers, the threads of a block share
// one in shared memory. Without a copy nothing is shared, because the compiler loads again after
// each store.
//
// `outputs` are the outputs of the kernels to look at, the slowest kernel first. At most `most`
// copies are added.
WithCopies withCopiesOfReads(const schedule::Schedule &schedule,
                             const std::vector<pipeline::FuncId> &outputs, std::size_t most);

// For sums that are kernels of their own, adds a copy that all readers use. The copy may then
// become the kernel: each of its threads adds up its points in registers, or in an array if indices
// depend on data, and only the results go to global memory.
WithCopies withCopiesOfSums(const schedule::Schedule &schedule,
                            const std::vector<pipeline::FuncId> &outputs, std::size_t most);

// Copies what the sum may fetch into shared memory: inputs, outputs of kernels, and inlined funcs
// that other funcs read too. Only this sum reads the copies.
WithCopies withCopiesForSum(const schedule::Schedule &schedule, pipeline::FuncId sum);

// A producer, and one func that reads it.
struct ReadOf {
  pipeline::Producer producer;
  pipeline::FuncId reader{};

  friend bool operator==(const ReadOf &, const ReadOf &) = default;
};
// A schedule with a copy for each of these reads, as far as they are possible. All are still
// inlined.
struct WithCopiesOf {
  schedule::Schedule schedule;
  std::vector<pipeline::FuncId> copies; // in the schedule's pipeline, in ascending order
};
WithCopiesOf withCopiesOf(const schedule::Schedule &schedule, const std::vector<ReadOf> &reads);

// The output of a kernel and the funcs that are inlined into it, directly or not.
std::vector<pipeline::FuncId> withItsInlined(const schedule::Schedule &schedule,
                                             pipeline::FuncId output);

// The func has to exist.
pipeline::FuncId funcNamed(const pipeline::Pipeline &pipeline, const std::string &name);

// The func's copy for all readers, if it is still inlined.
std::optional<pipeline::FuncId> idleCopyOf(const schedule::Schedule &schedule,
                                           pipeline::FuncId func);

// The schedule without the copies that are still inlined.
schedule::Schedule withoutIdleCopies(const schedule::Schedule &schedule);

} // namespace tessera::search

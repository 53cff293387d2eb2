// SPDX-License-Identifier: MIT
// Lane loops: where they stand, and what stands beside them in a kernel.
#include "tests/engine/schedule/rules/legality_examples.h"

#include "tests/engine/schedule/rules/legality_sketches.h"

namespace tessera::schedule::testing {

namespace {

using namespace sketches;

const std::vector<Example> kExamples{
    {Rule::LanesInnermost, kPoint,
     "f split x a b 32 guard_with_if | gpu_lanes b | reorder a b | gpu_threads a | gpu_blocks y",
     "f.0 order 0", "f: it must have exactly one lane loop, inside the thread loops",
     "one lane loop, with thread loops only around it",
     "f split x a b 32 guard_with_if | gpu_lanes b | gpu_threads a | gpu_blocks y"},
    {Rule::LanesInnermost, kPoint, "f split x a b 64 guard_with_if | gpu_lanes b | gpu_blocks y",
     "f.0 factors 0", "f: it has 64 lanes", "at most 32",
     "f split x a b 32 guard_with_if | gpu_lanes b | gpu_blocks y"},
    {Rule::LanesInnermost, kBlur,
     "g split x a b 32 guard_with_if | gpu_lanes b | gpu_blocks a y\n"
     "f compute_at g:a | store_in shared | split x c d 64 guard_with_if | gpu_threads d",
     "g.0 factors 0", "the kernel of g has 32 lanes, but 64 threads in x",
     "as many threads in x in each of its stages as there are lanes",
     "g split x a b 32 guard_with_if | gpu_lanes b | gpu_blocks a y\n"
     "f compute_at g:a | store_in shared | split x c d 32 guard_with_if | gpu_threads d"},
    {Rule::PlaceBetweenBlocks, kBlur,
     "g split x a b 8 guard_with_if | gpu_lanes b | gpu_threads a | gpu_blocks y\nf compute_at g:a",
     "f.0 compute 0", "f is placed between the thread and lane loops of g",
     "the innermost lane loop, a loop inside it, or one outside all of them",
     "g split x a b 8 guard_with_if | gpu_lanes b | gpu_threads a | gpu_blocks y\nf compute_at "
     "g:b"},
};

} // namespace

const std::vector<Example> &laneExamples() { return kExamples; }

} // namespace tessera::schedule::testing

// SPDX-License-Identifier: MIT
// Schedules that are legal although they may look illegal.
#include "engine/schedule/rules/legality.h"

#include "tests/engine/schedule/rules/legality_sketches.h"
#include "tests/engine/schedule/scheduled.h"

#include <gtest/gtest.h>

#include <string>

namespace tessera::schedule {
namespace {

using testing::scheduled;
using namespace testing::sketches;

struct Accepted {
  const char *why;
  const char *pipeline;
  const char *directives;
};

class Legal : public ::testing::TestWithParam<Accepted> {};

TEST_P(Legal, IsAccepted) {
  const Schedule schedule = scheduled(GetParam().pipeline, GetParam().directives);
  for (const Violation &one : check(schedule, {}))
    ADD_FAILURE() << GetParam().why << ": " << one.message;
}

INSTANTIATE_TEST_SUITE_P(
    Schedules, Legal,
    ::testing::Values(
        Accepted{"a vector of 3 behind a guard needs no mask where its elements are rows apart",
                 kPoint,
                 "f split y a b 3 guard_with_if | reorder b x a | vectorize b | gpu_threads x | "
                 "gpu_blocks a"},
        Accepted{"an update is a launch of its own, with threads of its own", kAnyOrder,
                 "s gpu_blocks x\n"
                 "s.1 reorder x ~r ~q"},
        Accepted{"two stages of one func never share a block",
                 "func s(x y) 1024 64 = \n"
                 "update s(x y) r:0:3 = s(x; y)\noutput s\n",
                 "s split y a b 8 guard_with_if | split x c d 32 guard_with_if | reorder d b c a | "
                 "gpu_threads d b | gpu_blocks c a\n"
                 "s.1 reorder ~r x y | gpu_threads x | gpu_blocks y"},
        Accepted{"a fused reduction in the order of the definition", kSum,
                 "s.1 fuse ~r ~q ~a | split ~a ~b ~c 16 guard_with_if"},
        Accepted{"any order is right when it commutes", kAnyOrder, "s.1 reorder ~q ~r"},
        Accepted{"a value of each thread in registers of the block",
                 "input in 64 64\n"
                 "func f(x y) 64 64 = in(x; y)\n"
                 "func g(x y) 64 64 = f(x; y)\n"
                 "output g\n",
                 "g split x a b 32 shift_inwards | gpu_threads b | gpu_blocks a y | reorder b a y\n"
                 "f compute_at g:a | store_in registers | split x a b 32 shift_inwards | "
                 "gpu_threads b"},
        Accepted{"computed beyond what is read, where nothing limits it",
                 "func f(x) 100 = \nfunc g(x) 100 = f(x)\noutput g\n",
                 "f compute_root | split x a b 32 round_up"},
        Accepted{"a region that is promised to be a multiple",
                 "input in 96\nfunc f(x) 96 = in(x)\noutput f\n",
                 "f align_bounds x 32 0 | split x a b 32 round_up"},
        Accepted{"an output is in the caller's memory", kPoint, "f store_in shared"},
        Accepted{"host loops around a kernel", "func f(x y z) 64 64 64 = \noutput f\n",
                 "f gpu_threads x | gpu_blocks y | parallel z"},
        Accepted{"a vector of 3 that nothing cuts", kPoint,
                 "f split x a b 3 shift_inwards | vectorize b"},
        Accepted{"two vectorised loops", kPoint,
                 "f split x a b 4 shift_inwards | split y c d 4 shift_inwards | vectorize b | "
                 "vectorize d"},
        Accepted{"unrolled parts, where the func around has one tile",
                 "func r(x) 72 = \nfunc q(x) 68 = r(x+[0,4])\nfunc g(x) 64 = q(x+[0,4])\n"
                 "output g\n",
                 "g split x a b 32 shift_inwards | gpu_threads b | gpu_blocks a\n"
                 "q compute_at g:a | split x e f 64 guard_with_if | gpu_threads f\n"
                 "r compute_at q:e | split x u t 8 guard_with_if | unroll u | gpu_threads t"},
        // Each func takes 24,576 bytes, so only two of them fit at the same time.
        Accepted{"funcs in the place of what was read for the last time",
                 "func a(x y) 6144 64 = \nfunc b(x y) 6144 64 = a(x; y)\n"
                 "func c(x y) 6144 64 = b(x; y)\nfunc h(x y) 6144 64 = c(x; y)\noutput h\n",
                 "h split x u t 256 guard_with_if | gpu_threads t | gpu_blocks y\n"
                 "c compute_at h:y | split x u t 256 guard_with_if | gpu_threads t\n"
                 "b compute_at h:y | split x u t 256 guard_with_if | gpu_threads t\n"
                 "a compute_at h:y | split x u t 256 guard_with_if | gpu_threads t"},
        Accepted{"copies of an unrolled loop in one place", // each copy takes 16,384 bytes
                 "func f(x y) 4096 64 = \nfunc g(x y) 4096 64 = f(x; y)\noutput g\n",
                 "g split y a b 4 guard_with_if | reorder x b a | unroll b | gpu_blocks a\n"
                 "f compute_at g:b"},
        Accepted{
            // The whole tile would take 65,536 bytes, but only 1,536 points are left of it.
            "of a tile that reaches beyond the end what is left",
            "func f(x y) 1536 64 = \nfunc g(x y) 1536 64 = f(x; y)\noutput g\n",
            "g split x a b 16384 guard_with_if | split b t u 64 guard_with_if | gpu_threads t | "
            "gpu_blocks a y\n"
            "f compute_at g:a | split x u t 256 guard_with_if | gpu_threads t"},
        Accepted{
            "of a tile that reaches beyond the end what is left, whatever the other dimension does",
            "func f(x y) 1536 64 = \nfunc g(x y) 1536 64 = f(x; y)\noutput g\n",
            "g split x a b 16384 guard_with_if | split b t u 64 guard_with_if | gpu_threads t | "
            "gpu_blocks a y\n"
            "f compute_at g:a | split x u t 256 guard_with_if | gpu_threads t | "
            "split y p q 1 round_up"},
        Accepted{
            "of a tile that reaches beyond the end what is left, though parts are shifted back",
            "func f(x y) 1536 64 = \nfunc g(x y) 1536 64 = f(x; y)\noutput g\n",
            "g split x a b 16384 guard_with_if | split b t u 64 guard_with_if | gpu_threads t "
            "| gpu_blocks a y\n"
            "f compute_at g:a | split x u t 256 shift_inwards | gpu_threads t"},
        Accepted{"inner parts of an update, of which Halide says itself how they end",
                 "func s(x) 64 = \nupdate s(x) r:0:3 = s(x)\noutput s\n",
                 "s.1 split x a b 32 guard_with_if | split b c d 8 auto | gpu_threads d | "
                 "gpu_blocks a"},
        Accepted{"an input, where a guard ends the parts of a tile that a boundary cuts",
                 "input in 64\nfunc f(x) 64 = in(x)\nfunc g(x) 64 = "
                 "f(clamp(x+[-1,1],0,63))\noutput g\n",
                 "g split x a b 32 guard_with_if | gpu_threads b | gpu_blocks a\n"
                 "f compute_at g:a | split x p q 16 guard_with_if | gpu_threads q"},
        Accepted{"kept by each thread, as much as there are values of data",
                 "input in 64\nfunc t(x) 16 = \nfunc g(x) 64 = t([0,15]!) in(x)\n"
                 "output g\n",
                 "g split x a b 32 guard_with_if | gpu_threads b | gpu_blocks a\n"
                 "t compute_at g:b"},
        Accepted{"independent steps of an update may run at once",
                 "input in 64\nfunc s(x) 64 = \n"
                 "update s(r) r:0:64:independent = in(r)\noutput s\n",
                 "s.1 gpu_blocks r"}));

TEST(Legality, RefusesInterleavedPartsOfAFusedReduction) {
  // q and p are fused and split, and r is between the two halves. So the steps of the fused loop
  // are interleaved with those of r.
  const char *const three = "func s(x) 64 = \nupdate s(x) r:0:8 q:0:8 p:0:8 = s(x)\noutput s\n";
  const auto ordered = [&](const std::string &order) {
    return isLegal(
        scheduled(three, "s.1 fuse ~q ~p ~a | split ~a ~b ~c 16 guard_with_if | reorder " + order),
        {});
  };
  EXPECT_TRUE(ordered("x ~r ~c ~b"));
  EXPECT_FALSE(ordered("x ~c ~r ~b"));
  EXPECT_FALSE(ordered("x ~r ~b ~c"));
}

} // namespace
} // namespace tessera::schedule

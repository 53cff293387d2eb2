// SPDX-License-Identifier: MIT
#include "engine/schedule/rules/shared_layout.h"

#include "tests/engine/schedule/scheduled.h"

#include <gtest/gtest.h>

#include <string>

namespace tessera::schedule {
namespace {

using pipeline::FuncId;
using testing::scheduled;

// The layout of the funcs a, b, c … in shared memory. Tests name them by their index. The last func
// is the output of the kernel.
class Laid {
public:
  Laid(const std::string &pipeline, const std::string &directives)
      : m_schedule(scheduled(pipeline, directives)), m_bounds(m_schedule),
        m_kept(m_schedule, m_bounds, m_schedule.pipeline()->allFuncs()),
        m_layout(
            m_schedule, m_bounds, m_kept,
            m_schedule.pipeline()->func(m_schedule.pipeline()->outputs().front().func).firstStage) {
  }

  std::int64_t bytes() const { return m_layout.bytes(); }
  bool overlap(std::uint32_t a, std::uint32_t b) const {
    return m_layout.overlap(FuncId{a}, FuncId{b});
  }

private:
  Schedule m_schedule;
  Bounds m_bounds;
  KeptStorage m_kept;
  SharedLayout m_layout;
};

const std::string kChain = "func a(x) 4096 = \nfunc b(x) 4096 = a(x)\nfunc c(x) 4096 = b(x)\n"
                           "func d(x) 4096 = c(x)\noutput d\n";
const std::string kBlocks = "d split x u t 64 shift_inwards | gpu_threads t | gpu_blocks u\n";

TEST(SharedLayout, AFuncTakesThePlaceOfWhatWasReadForTheLastTime) {
  const Laid chain(kChain, kBlocks + "c compute_at d:u | gpu_threads x\n"
                                     "b compute_at d:u | gpu_threads x\n"
                                     "a compute_at d:u | gpu_threads x");
  EXPECT_EQ(chain.bytes(), 2 * 64 * 4);
  EXPECT_TRUE(chain.overlap(0, 2));
  EXPECT_FALSE(chain.overlap(0, 1));
  EXPECT_FALSE(chain.overlap(1, 2));
}

TEST(SharedLayout, ThreadsAndGlobalMemoryHaveNoPartInIt) {
  const Laid chain(kChain, kBlocks + "c compute_at d:t\n"
                                     "b compute_at d:u | store_in global | gpu_threads x\n"
                                     "a compute_at d:u | gpu_threads x");
  EXPECT_EQ(chain.bytes(), 64 * 4);
}

TEST(SharedLayout, APlaceIsAsLargeAsTheLargestInIt) {
  const Laid wide("func a(x) 4100 = \nfunc b(x) 4096 = a(x+[0,4])\nfunc c(x) 4096 = b(x)\n"
                  "func d(x) 4096 = c(x)\noutput d\n",
                  kBlocks + "c compute_at d:u | gpu_threads x\nb compute_at d:u | gpu_threads x\n"
                            "a compute_at d:u | gpu_threads x");
  EXPECT_EQ(wide.bytes(), (68 + 64) * 4);
}

// a is still read by d. When the place of b is freed, Halide forgets all places before that of b,
// so the place of a is not reused.
TEST(SharedLayout, WhatIsFreedLateIsForgotten) {
  const Laid late("func a(x) 4096 = \nfunc b(x) 4096 = a(x)\nfunc c(x) 4096 = a(x) b(x)\n"
                  "func d(x) 4096 = a(x) c(x)\nfunc e(x) 4096 = d(x)\nfunc f(x) 4096 = e(x)\n"
                  "func g(x) 4096 = f(x)\noutput g\n",
                  "g split x u t 64 shift_inwards | gpu_threads t | gpu_blocks u\n"
                  "f compute_at g:u | gpu_threads x\ne compute_at g:u | gpu_threads x\n"
                  "d compute_at g:u | gpu_threads x\nc compute_at g:u | gpu_threads x\n"
                  "b compute_at g:u | gpu_threads x\na compute_at g:u | gpu_threads x");
  EXPECT_TRUE(late.overlap(1, 3));
  EXPECT_TRUE(late.overlap(2, 4));
  EXPECT_FALSE(late.overlap(0, 4));
  EXPECT_FALSE(late.overlap(0, 5));
  EXPECT_EQ(late.bytes(), 3 * 64 * 4);
}

// From random schedule 367 of pyramid_blend: a guard cuts two unrolled copies of d, and Halide may
// drop the second one. Then the last read of a is in the first copy.
TEST(SharedLayout, CopiesThatAreNeverThereReadNothing) {
  const auto overlapWith = [](const std::string &factor) {
    const Laid laid("func a(x) 4096 = \nfunc b(x) 4096 = a(x)\nfunc c(x) 4096 = b(x)\n"
                    "func d(x) 4096 = c(x)\nfunc e(x) 4096 = d(x)\noutput e\n",
                    "e split x u t 64 shift_inwards | gpu_threads t | gpu_blocks u\n"
                    "d compute_at e:u | split x p q " +
                        factor +
                        " guard_with_if | unroll p | gpu_threads q\n"
                        "c compute_at d:p | gpu_threads x\nb compute_at d:p | gpu_threads x\n"
                        "a compute_at e:u | gpu_threads x");
    return laid.overlap(0, 2);
  };
  EXPECT_TRUE(overlapWith("48"));
  EXPECT_FALSE(overlapWith("32"));
}

// Global memory that threads keep also counts in the order in which memory is freed: when p is
// freed, Halide forgets the place of b.
TEST(SharedLayout, WhatThreadsKeepInGlobalMemoryHasATimeToo) {
  const auto bytesWith = [](const std::string &p) {
    const std::string pipeline =
        "func b(x) 4096 = \nfunc p(x) 4096 = b(x)\nfunc c(x) 4096 = p(x)\n"
        "func d(x) 4096 = b(x) c(x)\nfunc e(x) 4096 = d(x)\nfunc f(x) 4096 = d(x) e(x)\n"
        "func g(x) 4096 = f(x)\noutput g\n";
    const std::string blocks =
        "g split x u t 64 shift_inwards | gpu_threads t | gpu_blocks u\n"
        "f compute_at g:u | gpu_threads x\ne compute_at g:u | gpu_threads x\n"
        "d compute_at g:u | gpu_threads x\nc compute_at g:u | gpu_threads x\n";
    return Laid(pipeline, blocks + p + "b compute_at g:u | gpu_threads x").bytes();
  };
  EXPECT_EQ(bytesWith(""), 3 * 64 * 4);
  EXPECT_EQ(bytesWith("p compute_at c:x\n"), 3 * 64 * 4);
  EXPECT_EQ(bytesWith("p compute_at c:x | store_in global\n"), 4 * 64 * 4);
}

TEST(SharedLayout, CopiesOfAnUnrolledLoopFollowEachOther) {
  const Laid copies("func a(x y) 64 64 = \nfunc d(x y) 64 64 = a(x; y)\noutput d\n",
                    "d split y v w 4 shift_inwards | reorder x w v | unroll w | gpu_threads x | "
                    "gpu_blocks v\n"
                    "a compute_at d:w | gpu_threads x");
  EXPECT_EQ(copies.bytes(), 64 * 4);
}

} // namespace
} // namespace tessera::schedule

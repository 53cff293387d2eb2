// SPDX-License-Identifier: MIT
#include "tests/engine/block/blocked.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace tessera::block {
namespace {

using testing::Blocked;

// Stages like K, W and Z in figure 4 of AutoGPU's paper. K and Z are stencils along y, W copies K.
const std::string kStages = "input in 512 520\n"
                            "func k(x y) 512 516 = in(x; y+[0,4])\n"
                            "func w(x y) 512 516 = k(x; y)\n"
                            "func z(x y) 512 512 = w(x; y+[0,4])\n"
                            "output z\n";

std::string tiled(const std::string &stage, int width, int height) {
  return stage + " split x xo xi " + std::to_string(width) + " guard_with_if | split y yo yi " +
         std::to_string(height) +
         " guard_with_if | reorder xi yi xo yo | gpu_threads xi yi | gpu_blocks xo yo\n";
}

std::vector<std::vector<std::int64_t>> elementsOf(const ThreadBlock &block,
                                                  const ThreadPlace &thread) {
  std::vector<std::vector<std::int64_t>> elements;
  for (const OwnedPoint &point : block.ownedBy(thread))
    elements.push_back(point.at);
  return elements;
}

TEST(ThreadBlock, OfAPointAThread) {
  const ThreadBlock block =
      Blocked(kStages, tiled("z", 32, 8) + tiled("w", 32, 8) + tiled("k", 32, 8) +
                           "w compute_root\nk compute_root")
          .of("z")
          .threads;
  EXPECT_EQ(block.threads, (ThreadPlace{32, 8, 1}));
  EXPECT_EQ(block.warps(), 8);
  EXPECT_EQ(block.emptyLanes(), 0);
  EXPECT_EQ(block.count(Duty::Computes), 256);
  EXPECT_EQ(block.points(), 1);
  EXPECT_EQ(block.redundancy(), 0);
  const auto first = elementsOf(block, {0, 0, 0}).front();
  EXPECT_EQ(elementsOf(block, {3, 5, 0}).front(),
            (std::vector<std::int64_t>{first[0] + 3, first[1] + 5}));
}

TEST(ThreadBlock, RowsThatNeighboursComputeTooAreHalo) {
  // A tile of 32 × 12 of z needs 32 × 16 of w. The two topmost and the two lowest rows of w belong
  // to the neighbouring blocks.
  const Blocked blocked(kStages, tiled("z", 32, 12) + "w compute_at z:xo | gpu_threads x y\n" +
                                     tiled("k", 32, 8) + "k compute_root");
  const ThreadBlock block = blocked.of("w").threads;
  ASSERT_EQ(block.threads, (ThreadPlace{32, 16, 1}));
  EXPECT_EQ(block.computed[0].extent(), 32);
  EXPECT_EQ(block.computed[1].extent(), 16);
  EXPECT_EQ(block.own[1].extent(), 12);
  EXPECT_EQ(block.own[1].min, block.computed[1].min + 2);
  EXPECT_DOUBLE_EQ(block.redundancy(), 1 / 3.0);
  EXPECT_EQ(block.count(Duty::Halo), 4 * 32);
  EXPECT_EQ(block.count(Duty::Computes), 12 * 32);
  EXPECT_EQ(block.dutyOf({0, 1, 0}), Duty::Halo);
  EXPECT_EQ(block.dutyOf({31, 2, 0}), Duty::Computes);
  EXPECT_EQ(block.dutyOf({0, 14, 0}), Duty::Halo);
  // While z is computed, four rows of threads have nothing to do.
  const ThreadBlock z = blocked.of("z").threads;
  EXPECT_EQ(z.threads, block.threads);
  EXPECT_EQ(z.count(Duty::Idle), 4 * 32);
  EXPECT_EQ(z.dutyOf({0, 12, 0}), Duty::Idle);
  EXPECT_TRUE(z.ownedBy({0, 12, 0}).empty());
}

TEST(ThreadBlock, TurnsCopiesAndVectorsOfAThread) {
  const ThreadBlock block =
      Blocked("input in 1024 64\nfunc f(x y) 1024 64 = in(x; y)\noutput f\n",
              "f split x xo xi 64 guard_with_if | split xi xt xv 2 guard_with_if | "
              "split y yo yi 8 guard_with_if | split yi ya yu 4 guard_with_if | "
              "reorder xv yu ya xt xo yo | vectorize xv | unroll yu | gpu_threads xt | "
              "gpu_blocks xo yo")
          .of("f")
          .threads;
  EXPECT_EQ(block.threads, (ThreadPlace{32, 1, 1}));
  EXPECT_EQ(block.vector, 2);
  EXPECT_EQ(block.turns * block.copies, 8);
  const auto points = block.ownedBy({1, 0, 0});
  ASSERT_EQ(points.size(), 16u);
  EXPECT_EQ(points[1].vector, 1);
  EXPECT_EQ(points[1].at[0], points[0].at[0] + 1);
  EXPECT_EQ(points[2].at[1], points[0].at[1] + 1);
  EXPECT_EQ(block.ownedBy({2, 0, 0}).front().at[0], points[0].at[0] + 2);
}

TEST(ThreadBlock, ThreadsTogetherComputeAllOfTheBlockOnce) {
  const ThreadBlock block =
      Blocked("input in 1000 64\nfunc f(x y) 1000 64 = in(x; y)\noutput f\n",
              "f split x xo xi 48 guard_with_if | split xi xt xu 2 guard_with_if | "
              "split y yo yi 4 guard_with_if | reorder xu xt yi xo yo | unroll xu | "
              "gpu_threads xt yi | gpu_blocks xo yo")
          .of("f")
          .threads;
  std::set<std::vector<std::int64_t>> all;
  std::size_t points = 0;
  for (std::int64_t number = 0; number < block.all(); ++number)
    for (const auto &element : elementsOf(block, block.placeOf(number))) {
      all.insert(element);
      ++points;
      EXPECT_TRUE(block.computed[0].min <= element[0] && element[0] <= block.computed[0].max);
      EXPECT_TRUE(block.computed[1].min <= element[1] && element[1] <= block.computed[1].max);
    }
  EXPECT_EQ(points, 48u * 4);
  const OwnerMap &owners = block.owners();
  ASSERT_EQ(owners.threads.size(), points);
  for (std::int64_t number = 0; number < block.all(); ++number)
    for (const auto &element : elementsOf(block, block.placeOf(number)))
      EXPECT_EQ(owners.at(element[0], element[1]), number);
  EXPECT_EQ(all.size(), points);
  EXPECT_EQ(block.warps(), 3);
  EXPECT_EQ(block.emptyLanes(), 0);
}

TEST(ThreadBlock, TheLastWarpMayHaveEmptyLanes) {
  const ThreadBlock block = Blocked("input in 1024\nfunc f(x) 1024 = in(x)\noutput f\n",
                                    "f split x xo xi 40 guard_with_if | gpu_threads xi | "
                                    "gpu_blocks xo")
                                .of("f")
                                .threads;
  EXPECT_EQ(block.warps(), 2);
  EXPECT_EQ(block.emptyLanes(), 24);
}

// With one block along a dimension, the cost model looks at the middle thread. Still, a ThreadBlock
// begins at the first thread.
TEST(ThreadBlock, BeginsAtItsFirstThreadInASmallImage) {
  const ThreadBlock block = Blocked("input in 20\nfunc f(x) 20 = in(x)\noutput f\n",
                                    "f split x xo xi 32 guard_with_if | gpu_threads xi | "
                                    "gpu_blocks xo")
                                .of("f")
                                .threads;
  EXPECT_EQ(elementsOf(block, {0, 0, 0}), (std::vector<std::vector<std::int64_t>>{{0}}));
  EXPECT_EQ(elementsOf(block, {19, 0, 0}), (std::vector<std::vector<std::int64_t>>{{19}}));
  EXPECT_EQ(block.dutyOf({20, 0, 0}), Duty::Idle);
  EXPECT_EQ(block.count(Duty::Computes), 20);
}

} // namespace
} // namespace tessera::block

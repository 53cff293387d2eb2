// SPDX-License-Identifier: MIT
// On random schedules, the accesses of a stage add up to what the cost model counts for it, the
// addresses that are drawn touch what was counted, each element of a block has a thread, and what
// a handle is pulled to is what the handle of the new schedule says.
#include "engine/block/block_handles.h"
#include "engine/block/stage_block.h"
#include "tests/engine/pipeline/sketch.h"
#include "tests/engine/schedule/random_schedule.h"
#include "tests/engine/schedule/random_sketch.h"
#include "tests/engine/schedule/scheduled.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace tessera::block {
namespace {

using cost::AccessLoad;
using cost::MemorySpace;
using cost::StageLoad;
using schedule::testing::Random;

constexpr std::uint64_t kSeeds = 150;

struct Sums {
  double loads = 0, stores = 0, sharedAccesses = 0, localAccesses = 0, lines = 0, passes = 0;
  double storedSectors = 0;
};

Sums sumsOf(const std::vector<WarpPattern> &accesses) {
  Sums sums;
  for (const WarpPattern &access : accesses) {
    const AccessLoad &load = access.load;
    switch (load.space) {
    case MemorySpace::Global:
      (load.isStore() ? sums.stores : sums.loads) += load.requests;
      sums.lines += load.requests * load.lines;
      if (load.isStore()) sums.storedSectors += load.requests * load.sectors;
      break;
    case MemorySpace::Shared:
      sums.sharedAccesses += load.requests;
      sums.passes += load.requests * load.passes;
      break;
    case MemorySpace::Local:
    case MemorySpace::Apart:
      sums.localAccesses += load.requests;
      sums.lines += load.requests * (load.lines - 1);
      break;
    case MemorySpace::Registers:
      EXPECT_EQ(load.requests, 0);
    }
  }
  return sums;
}

void expectCounted(const StageBlock &block, const StageLoad &load) {
  const Sums sums = sumsOf(block.accesses);
  const auto same = [](double a, double b) { return std::abs(a - b) <= 1e-9 * (1 + std::abs(b)); };
  EXPECT_PRED2(same, sums.loads, load.loads);
  EXPECT_PRED2(same, sums.stores, load.stores);
  EXPECT_PRED2(same, sums.sharedAccesses, load.sharedAccesses);
  EXPECT_PRED2(same, sums.localAccesses, load.localAccesses);
  EXPECT_PRED2(same, sums.lines, load.lines);
  EXPECT_PRED2(same, sums.passes, load.sharedPasses);
  if (load.stores > 0) {
    EXPECT_PRED2(same, sums.storedSectors * cost::kSectorBytes * load.warps * load.bodies,
                 load.storeBytes);
  }
  EXPECT_EQ(
      static_cast<double>(block.threads.count(Duty::Computes) + block.threads.count(Duty::Halo)),
      load.threads);
}

// Returns whether an exact count could be compared.
bool expectDrawn(const WarpPattern &access) {
  if (!access.isInMemory() || access.isChosen) return false;
  if (access.load.space == MemorySpace::Shared) {
    const auto banks = access.banks();
    EXPECT_EQ(*std::ranges::max_element(banks), access.load.passes);
    return true;
  }
  const auto drawn = static_cast<double>(access.sectors().size());
  // Elements are aligned, so each element lies in a single sector.
  const auto element = static_cast<double>(access.elementBytes);
  for (const LaneAccess &lane : access.lanes)
    EXPECT_EQ(lane.byte % access.elementBytes, 0);
  const double ofALane = 1 + std::ceil((access.load.access.bytes - element) / cost::kSectorBytes);
  EXPECT_LE(drawn, static_cast<double>(access.lanes.size()) * ofALane);
  // The model averages over all start addresses. For a single start address, each piece touches at
  // most one sector more or less than on average.
  const auto &lanes = access.load.access.lanes;
  const auto pieces = static_cast<double>(lanes[0] * lanes[1] * lanes[2]);
  EXPECT_LE(std::abs(drawn - access.load.sectors), pieces);
  // The threads of one row are one piece, whose sectors the model counts exactly.
  if (access.startsAnywhere || lanes[1] * lanes[2] > 1) return false;
  if (access.load.access.strides[0] < 0) return false; // the model counts upwards from lane 0
  // A stride that is not a whole number of elements is an average.
  if (std::fmod(access.load.access.strides[0], element) != 0) return false;
  EXPECT_EQ(drawn, access.load.sectors);
  return true;
}

// Calls `check` with random schedules of two to `most` funcs, until a check fails.
template <typename Check>
void onRandomSchedules(const machine::Machine &machine, std::uint64_t most, const Check &check) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Random random(seed);
    const std::string text = schedule::testing::randomSketch(random, 2 + random() % (most - 1));
    const schedule::Schedule schedule =
        schedule::testing::randomSchedule(pipeline::test::sketch(text), machine, random);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text + "\n" +
                 schedule::testing::loweredText(schedule));
    check(schedule, cost::predict(schedule, machine));
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(PropBlock, AccessesAddUpToTheLoadOfTheStage) {
  const machine::Machine machine;
  int stages = 0, exact = 0;
  onRandomSchedules(machine, 8, [&](const schedule::Schedule &schedule, const auto &prediction) {
    for (const cost::Prediction::Kernel &kernel : prediction.kernels)
      for (const StageLoad &load : kernel.load.stages) {
        SCOPED_TRACE(schedule.pipeline()->stageName(load.stage));
        const auto block = stageBlockOf(schedule, machine, prediction, load.stage);
        ASSERT_TRUE(block);
        expectCounted(*block, load);
        // Fused loops: see grid_waves.h.
        if (std::ranges::find(block->grid.sides, 0, &GridWaves::Side::covers) ==
            block->grid.sides.end()) {
          EXPECT_EQ(static_cast<double>(block->grid.all()), kernel.load.blocks);
        }
        for (const WarpPattern &access : block->accesses)
          exact += expectDrawn(access) ? 1 : 0;
        ++stages;
      }
  });
  EXPECT_GT(stages, 300);
  EXPECT_GT(exact, 100);
}

// The handle of the same loop in another schedule; null: the schedule has none.
const BlockHandle *sameIn(const std::vector<BlockHandle> &handles, const BlockHandle &handle) {
  const auto at = std::ranges::find_if(handles, [&](const BlockHandle &one) {
    return one.kind == handle.kind && one.blockDim == handle.blockDim && one.dim == handle.dim;
  });
  return at == handles.end() ? nullptr : &*at;
}

// Moves a handle to each size that it offers. Returns how many of these are legal and differ from
// the present size.
int expectPulled(const schedule::Schedule &schedule, const machine::Machine &machine,
                 pipeline::StageId stage, const BlockHandle &handle) {
  int legal = 0;
  for (const HandleStop &stop : stopsOf(schedule, machine, stage, handle)) {
    if (stop.value == handle.value || !stop.isLegal()) continue;
    SCOPED_TRACE(stop.text + "\n" + schedule::testing::loweredText(*stop.schedule));
    const auto after = handlesOf(*stop.schedule, stage);
    const BlockHandle *same = sameIn(after, handle);
    // A dimension that is not the innermost in memory has a handle only while it has a vector.
    const int otherwise = handle.kind == HandleKind::Vector ? 1 : 0;
    EXPECT_EQ(same ? same->value : otherwise, stop.value);
    ++legal;
  }
  return legal;
}

TEST(PropBlock, AHandleIsWhereItWasPulled) {
  const machine::Machine machine;
  int pulled = 0;
  onRandomSchedules(machine, 4, [&](const schedule::Schedule &schedule, const auto &prediction) {
    for (const cost::Prediction::Kernel &kernel : prediction.kernels)
      for (const StageLoad &load : kernel.load.stages)
        for (const BlockHandle &handle : handlesOf(schedule, load.stage))
          pulled += expectPulled(schedule, machine, load.stage, handle);
  });
  EXPECT_GT(pulled, 1000);
}

} // namespace
} // namespace tessera::block

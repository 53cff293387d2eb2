// SPDX-License-Identifier: MIT
// Footprints of random schedules: a level needs no more than the level around it, and what a block
// keeps is at least what it needs.
#include "engine/footprint/kernel_footprint.h"
#include "tests/engine/pipeline/sketch.h"
#include "tests/engine/schedule/random_sketch.h"

#include <gtest/gtest.h>

namespace tessera::footprint {
namespace {

using schedule::Schedule;
using schedule::testing::Random;

constexpr std::uint64_t kSeeds = 60;

void expectGrows(const Entry &entry) {
  for (std::size_t l = 0; l + 1 < kLevels; ++l) {
    EXPECT_LE(entry.boxes[l].points, entry.boxes[l + 1].points) << entry.name << " level " << l;
    EXPECT_GE(entry.boxes[l].shared(), 0) << entry.name;
    for (std::size_t d = 0; d < entry.dims.size(); ++d)
      EXPECT_LE(entry.boxes[l].sides[d].range.extent(), entry.boxes[l + 1].sides[d].range.extent())
          << entry.name << " dimension " << d;
  }
}

// Whether a func is computed once in each block.
bool isOfBlock(const Schedule &schedule, const KernelFootprint &kernel, pipeline::FuncId func) {
  const schedule::LoopNest &nest = schedule.plan(kernel.owner).nest;
  const std::size_t block = innermostBlock(nest);
  return block < nest.loops.size() &&
         schedule.plan(func).compute == schedule::Place::at(kernel.owner, nest.loops[block].ref);
}

void expectSound(const KernelFootprint &kernel, const Schedule &schedule,
                 const schedule::Bounds &bounds) {
  ASSERT_FALSE(kernel.entries.empty());
  EXPECT_EQ(kernel.entries.front().role, Role::Output);
  for (const Entry &entry : kernel.entries) {
    if (entry.role == Role::Output) continue; // an update may read more of its func
    expectGrows(entry);
    if (entry.role != Role::Member) continue;
    EXPECT_GT(entry.storedBytes, 0) << entry.name;
    const auto func = static_cast<pipeline::FuncId>(entry.producer.index);
    if (!isOfBlock(schedule, kernel, func)) continue;
    // What is computed may be longer, where tails of readers go beyond what their own readers need.
    for (std::size_t d = 0; d < entry.dims.size(); ++d)
      EXPECT_GE(bounds.of(func).computed[d].extent(),
                entry.at(Level::Block).sides[d].range.extent())
          << entry.name << " dimension " << d;
  }
}

TEST(KernelFootprint, OfRandomSchedules) {
  std::size_t members = 0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    Random random(seed);
    const std::string text = schedule::testing::randomSketch(random, 4);
    const Schedule schedule =
        schedule::testing::randomSchedule(pipeline::test::sketch(text), {}, random);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    const Footprints footprints(schedule, {});
    const schedule::Bounds bounds(schedule);
    for (const pipeline::StageId owner : footprints.kernels()) {
      const KernelFootprint kernel = footprints.of(owner);
      expectSound(kernel, schedule, bounds);
      for (const Entry &entry : kernel.entries)
        members += entry.role == Role::Member;
    }
  }
  EXPECT_GT(members, kSeeds / 2);
}

} // namespace
} // namespace tessera::footprint

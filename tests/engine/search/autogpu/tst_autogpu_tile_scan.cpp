// SPDX-License-Identifier: MIT
#include "engine/search/autogpu/autogpu_tile_scan.h"

#include "tests/engine/pipeline/sketch.h"

#include <gmock/gmock.h>

#include <string_view>

namespace tessera::search {
namespace {

using machine::Machine;
using pipeline::FuncId;
using search::AutoGpuPhase;
using testing::Each;
using testing::ElementsAre;
using testing::Field;
using testing::Ge;
using testing::IsEmpty;
using testing::Not;

struct Scanned {
  std::vector<AutoGpuTiling> best;
  std::size_t evaluations = 0;
};

Scanned scanned(std::string_view text, AutoGpuPhase phase, const Machine &machine = {},
                const AutoGpuParameters &parameters = {}) {
  const auto pipeline = pipeline::test::sketch(text);
  const FuncId output = pipeline->outputs().front().func;
  AutoGpuTileScan scan(*pipeline, {output, {output}, {}, {}, {}}, machine, phase, parameters);
  Scanned scanned;
  while (const std::size_t evaluated = scan.step(SIZE_MAX))
    scanned.evaluations += evaluated;
  scanned.best = scan.best();
  return scanned;
}

constexpr std::string_view kPicture = "input in 1536 2560 3\n"
                                      "func out(x y c) 1536 2560 3 = in(x; y; c)\n"
                                      "output out\n";

TEST(AutoGpuTileScan, TilesLongDimensionsAndLeavesShortOnesWhole) {
  // The 11 tiles are 8, 16 and 32 along x by 8 … 64 along y, except 32 × 64, which has too many
  // threads.
  const Scanned few = scanned(kPicture, AutoGpuPhase::Grouping);
  EXPECT_EQ(few.evaluations, 11U);
  ASSERT_THAT(few.best, Not(IsEmpty()));
  EXPECT_TRUE(few.best.front().valid);
  EXPECT_THAT(few.best.front().threads, ElementsAre(true, true, false));
  EXPECT_EQ(few.best.front().tiles[2], 3);
  EXPECT_GT(scanned(kPicture, AutoGpuPhase::FinalTiles).evaluations, 100U);
}

// 128 bytes along two dimensions of threads are 32 floats: 8, 16 and 32 along x by the same along
// y.
TEST(AutoGpuTileScan, HasTheArtifactsCeilingIfAskedFor) {
  AutoGpuParameters parameters;
  parameters.tileCeiling = AutoGpuReading::Artifact;
  EXPECT_EQ(scanned(kPicture, AutoGpuPhase::Grouping, {}, parameters).evaluations, 9U);
}

TEST(AutoGpuTileScan, AsksForLessOfOpenCl) {
  Machine machine;
  machine.api = machine::Api::OpenCl;
  // The tiles are 8 and 16 along x by 8, 16 and 32 along y.
  EXPECT_EQ(scanned(kPicture, AutoGpuPhase::Grouping, machine).evaluations, 6U);
}

TEST(AutoGpuTileScan, TilesAllOfALayerThatWouldGiveTooFewBlocks) {
  const Scanned layer = scanned(R"(
    input in 14 14 512
    func out(x y c) 14 14 512 = in(x; y; c)
    output out
  )",
                                AutoGpuPhase::Grouping);
  ASSERT_THAT(layer.best, Not(IsEmpty()));
  EXPECT_TRUE(layer.best.front().valid);
  EXPECT_THAT(layer.best.front().threads, ElementsAre(true, true, true));
}

TEST(AutoGpuTileScan, HasTilesForWhatIsTooSmall) {
  const Scanned small =
      scanned("input in 8\nfunc out(x) 8 = in(x)\noutput out\n", AutoGpuPhase::FinalTiles);
  ASSERT_THAT(small.best, Not(IsEmpty()));
  EXPECT_THAT(small.best, Each(Field(&AutoGpuTiling::valid, false)));
  EXPECT_THAT(small.best, Each(Field(&AutoGpuTiling::cost, Ge(small.best.front().cost))));
}

// Nothing is loaded, so all blocks that fill a multiprocessor cost the same.
TEST(AutoGpuTileScan, PrefersLongRowsAmongEquals) {
  const Scanned none = scanned("func out(x y) 1024 1024 = \noutput out\n", AutoGpuPhase::Grouping);
  EXPECT_EQ(none.best.front().tiles.front(), 32);
}

} // namespace
} // namespace tessera::search

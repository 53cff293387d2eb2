// SPDX-License-Identifier: MIT
#include "engine/search/mullapudi/polymage_like.h"

#include "tests/engine/search/mullapudi/paper_pipelines.h"

#include <gmock/gmock.h>

namespace tessera::search {
namespace {

using pipeline::FuncId;
using pipeline::test::sketch;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// "Data-dependent operations (histograms, lookup tables), non-affine programs, and computations
// that feature significant input data reuse (deep neural networks, matrix multiplication) fall
// outside the scope of PolyMage" (section 2).
TEST(PolymageLike, KnowsWhatPolyMageAnalyses) {
  const auto blur = testing::paperBlur();
  EXPECT_TRUE(isPolyhedral(*blur, {testing::kBlurOut, {testing::kBlurX, testing::kBlurOut}, {}}));
  const auto product = testing::paperMatMul();
  EXPECT_FALSE(isPolyhedral(*product, {testing::kMatrixC, {testing::kMatrixC}, {}}));
  const auto table = sketch(R"(
    input in 640 480
    func table(i) 256 = in(i; 0)
    func curve(x y) 640 480 = table([0,255]?) in(x; y)
    func half(x y) 320 480 = curve(2*x; y)
    output half
  )");
  const FuncId curve{1}, half{2};
  EXPECT_FALSE(isPolyhedral(*table, {curve, {curve}, {}}));
  EXPECT_TRUE(isPolyhedral(*table, {half, {half}, {}})); // "stencils and up/downsampling"
  EXPECT_FALSE(isPolyhedral(*table, {half, {half}, {curve}}));
}

// "to tile only two spatial dimensions and to consider only a single tile size".
TEST(PolymageLike, HasOneTileInTwoDimensions) {
  const auto pipeline = sketch(R"(
    func picture(c x y) 3 1536 2560 = 
    func small(x y) 20 600 = picture(0; x; y)
    func line(x) 600 = small(0; x)
    output picture
    output line
  )");
  const MullapudiParameters parameters{.tileX = 64, .tileY = 16};
  EXPECT_THAT(onlyTile(*pipeline, FuncId{0}, parameters), ElementsAre(3, 64, 16));
  EXPECT_THAT(onlyTile(*pipeline, FuncId{1}, parameters), ElementsAre(20, 16));
  EXPECT_THAT(onlyTile(*pipeline, FuncId{2}, parameters), IsEmpty());
}

} // namespace
} // namespace tessera::search

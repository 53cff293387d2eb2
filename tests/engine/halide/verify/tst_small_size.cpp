// SPDX-License-Identifier: MIT
// The smaller sizes that schedules are verified at are sizes that the pipeline can have.
#include "engine/halide/verify/small_size.h"
#include "engine/halide/verify/verify.h"
#include "engine/halide/capture.h"
#include "tests/engine/halide/captured.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tessera::halide::testing {
namespace {

using Halide::Func;
using Halide::ImageParam;
using Halide::Pipeline;
using Halide::RDom;
using Halide::Var;
using pipeline::Box;
using pipeline::Interval;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class SmallSize : public ::testing::Test {
protected:
  // Captures and prepares the pipeline.
  void open(const Pipeline &pipeline, const std::vector<EstimateOverride> &estimates = {}) {
    m_options.path = m_folder.file("small.hlpipe");
    m_options.estimates = estimates;
    ASSERT_TRUE(capturePipeline(pipeline, m_options.path));
    auto prepared = preparePipeline(m_options);
    ASSERT_TRUE(prepared) << prepared.error().message;
    m_full = std::make_shared<const PreparedPipeline>(std::move(*prepared));
  }

  Result<std::shared_ptr<const PreparedPipeline>> shrunkTo(int step) const {
    return shrunk(m_full, m_options, {}, step);
  }

  // Every size of the ladder can be run, and gives what the reference gives.
  void expectRuns() {
    for (int step = kNarrowestStep; step < kSizeSteps; ++step) {
      const auto sized = shrunkTo(step);
      ASSERT_TRUE(sized) << step << ": " << sized.error().message;
      EXPECT_THAT((*sized)->conflicts, IsEmpty()) << step;
    }
    VerifyOptions options;
    options.import = m_options;
    options.target = CompileTarget::Host;
    options.small = true;
    Verifier verifier;
    const VerifyResult result = verifier.verify(m_full, options);
    ASSERT_EQ(result.outcome, Outcome::Ok) << result.error.message;
    EXPECT_TRUE(result.report.equal());
  }

  static Box outputOf(const PreparedPipeline &prepared, std::size_t output = 0) {
    Box box;
    for (const pipeline::Estimate &dim : prepared.estimates.outputs[output])
      box.push_back(dim.range);
    return box;
  }
  static Box inputOf(const PreparedPipeline &prepared, const std::string &name) {
    Box box;
    for (const auto &[known, index] : prepared.raw.inputIndex)
      if (known == name)
        for (const pipeline::Estimate &dim : prepared.estimates.inputs[index].dims)
          box.push_back(dim.range);
    return box;
  }

  Var x{"x"}, y{"y"};
  ImportOptions m_options;
  std::shared_ptr<const PreparedPipeline> m_full;

private:
  TemporaryFolder m_folder;
};

// The index into the table comes from data, so all of the table may be read at any size.
TEST_F(SmallSize, ATableThatIsReadKeepsItsSize) {
  ImageParam in(Halide::UInt(16), 2, "coded"), table(Halide::UInt(16), 1, "table_of_1000");
  Func out("decoded");
  out(x, y) = table(clamp(Halide::cast<int>(in(x, y)), 0, 999));
  out.set_estimates({{0, 1200}, {0, 800}});
  in.set_estimates({{0, 1200}, {0, 800}});
  table.set_estimates({{0, 1000}});
  open(Pipeline(out));
  const auto small = shrunkTo(0);
  ASSERT_TRUE(small) << small.error().message;
  EXPECT_EQ(outputOf(**small), (Box{{0, 66}, {0, 44}}));
  EXPECT_EQ(inputOf(**small, table.name()), (Box{{0, 999}}));
  expectRuns();
}

// The algorithm writes to any of 1000 bins, so no output may have fewer.
TEST_F(SmallSize, AnOutputThatIsScatteredToKeepsItsSize) {
  ImageParam in(Halide::UInt(16), 1, "counted");
  Func bins("bins_of_1000");
  const RDom r(0, 5000, "r");
  bins(x) = 0;
  bins(clamp(Halide::cast<int>(in(r)), 0, 999)) += 1;
  bins.set_estimates({{0, 1000}});
  in.set_estimates({{0, 5000}});
  open(Pipeline(bins));
  const auto small = shrunkTo(0);
  ASSERT_TRUE(small) << small.error().message;
  EXPECT_EQ(outputOf(**small), (Box{{0, 999}}));
  expectRuns();
}

// Each level is an output, and the next one reads it at twice the place.
TEST_F(SmallSize, TheLevelsOfAWaveletKeepTheirRelation) {
  ImageParam in(Halide::Int(32), 1, "signal");
  Func one("level_one"), two("level_two"), three("level_three");
  one(x) = in(2 * x) + in(2 * x + 1);
  two(x) = one(2 * x) - one(2 * x + 1);
  three(x) = two(2 * x) + two(2 * x + 1);
  in.set_estimates({{0, 4096}});
  one.set_estimates({{0, 2048}});
  two.set_estimates({{0, 1024}});
  three.set_estimates({{0, 512}});
  open(Pipeline({one, two, three}));
  const auto small = shrunkTo(0);
  ASSERT_TRUE(small) << small.error().message;
  EXPECT_EQ(outputOf(**small, 2), (Box{{0, 66}}));
  EXPECT_EQ(outputOf(**small, 1), (Box{{0, 133}}));
  EXPECT_EQ(outputOf(**small, 0), (Box{{0, 267}}));
  EXPECT_EQ(inputOf(**small, in.name()), (Box{{0, 535}}));
  expectRuns();
}

TEST_F(SmallSize, SizesAtWhichNothingIsReducedArePassedOver) {
  ImageParam in(Halide::Int(32), 1, "long_row");
  Func out("sum_without_margin");
  const RDom r(50, in.width() - 100, "r");
  out(x) = 0;
  out(x) += in(r)*x;
  in.set_estimates({{0, 1000}});
  out.set_estimates({{0, 1000}});
  open(Pipeline(out));
  const auto small = shrunkTo(0);
  ASSERT_TRUE(small) << small.error().message;
  EXPECT_EQ(outputOf(**small), (Box{{0, 134}}));
  expectRuns();
}

TEST_F(SmallSize, APromisedInputStaysWhole) {
  ImageParam in(Halide::Int(32), 1, "promised_row");
  Func out("of_promised_row");
  out(x) = in(999 - x) + in(x);
  in.dim(0).set_bounds(0, 1000);
  out.set_estimates({{0, 1000}});
  open(Pipeline(out));
  const auto small = shrunkTo(0);
  ASSERT_TRUE(small) << small.error().message;
  EXPECT_EQ(outputOf(**small), (Box{{0, 66}}));
  EXPECT_EQ(inputOf(**small, in.name()), (Box{{0, 999}}));
  expectRuns();
}

TEST_F(SmallSize, WhatCannotShrinkIsRunAsItIs) {
  ImageParam in(Halide::Int(32), 1, "exact_row");
  Func out("all_of_exact_row");
  const RDom r(0, in.width() - 199, "r"); // empty at any smaller size
  out(x) = 0;
  out(x) += in(r) + x;
  in.set_estimates({{0, 200}});
  out.set_estimates({{0, 200}});
  open(Pipeline(out));
  const auto small = shrunkTo(0);
  ASSERT_TRUE(small) << small.error().message;
  EXPECT_EQ(outputOf(**small), (Box{{0, 199}}));
  expectRuns();
}

TEST_F(SmallSize, EstimatesThatContradictThePipelineAreAnError) {
  ImageParam in(Halide::Int(32), 1, "short_row");
  Func out("beyond_short_row");
  out(x) = in(x + 16);
  in.set_estimates({{0, 1000}});
  out.set_estimates({{0, 1000}});
  open(Pipeline(out));
  const auto full = shrunkTo(kSizeSteps - 1);
  ASSERT_FALSE(full);
  EXPECT_THAT(full.error().message,
              HasSubstr("\"" + in.name() +
                        "\": it is accessed at 1015 in dimension 0, beyond the "
                        "end of its estimate (999)"));
  EXPECT_THAT(full.error().hint, HasSubstr("--fit-estimates"));
  EXPECT_EQ(full.error().remedy, ErrorRemedy::Estimates);
  const auto small = shrunkTo(0);
  ASSERT_TRUE(small) << small.error().message;
  EXPECT_EQ(inputOf(**small, in.name()), (Box{{0, 82}}));
}

} // namespace
} // namespace tessera::halide::testing

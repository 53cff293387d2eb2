// SPDX-License-Identifier: MIT
// The reference is right, knows how sure it is, and tells what it cannot judge.
#include "engine/halide/verify/reference_run.h"
#include "engine/halide/capture.h"
#include "engine/halide/compile/reference_definitions.h"
#include "tests/engine/halide/captured.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace tessera::halide::testing {
namespace {

using namespace Halide;
using report::Verdict;
using report::VerifyReport;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class ReferenceRunTest : public ::testing::Test {
protected:
  // The reference of a pipeline whose output has the name "output", so that two of them compare.
  std::shared_ptr<ReferenceRun> reference(const Pipeline &pipeline, bool approximates = false) {
    const std::string path = m_folder.file(std::to_string(m_files++) + ".hlpipe");
    const Status captured = capturePipeline(pipeline, path);
    EXPECT_TRUE(captured) << captured.error().message;
    ReferenceOptions options;
    options.import.path = path;
    options.approximateReciprocals = approximates;
    auto prepared = preparePipeline(options.import);
    EXPECT_TRUE(prepared) << prepared.error().message;
    auto made =
        ReferenceRun::make(std::make_shared<const PreparedPipeline>(std::move(*prepared)), options);
    EXPECT_TRUE(made) << made.error().message;
    return *made;
  }

  // What the reference says of the outputs of another pipeline.
  static VerifyReport judged(ReferenceRun &reference, const RunOutputs &found) {
    auto report = reference.judge(found);
    EXPECT_TRUE(report) << report.error().message;
    return report ? *report : VerifyReport{};
  }
  VerifyReport judged(const Pipeline &right, const Pipeline &other) {
    const auto reference = this->reference(right);
    return judged(*reference, this->reference(other)->outputs());
  }

  Var x{"x"}, y{"y"};

private:
  TemporaryFolder m_folder;
  int m_files = 0;
};

// Halide 21 gives -1 for each index (HALIDE_TUPLES.md).
TEST_F(ReferenceRunTest, ARunningMinimumFindsItsIndex) {
  ImageParam costs(Float(32), 2, "costs");
  Func best("best");
  const RDom r(0, 9);
  best(x) = Tuple(100.0f, -1);
  best(x) = Tuple(select(costs(x, r) < best(x)[0], costs(x, r), best(x)[0]),
                  select(costs(x, r) < best(x)[0], Expr(r), best(x)[1]));
  best.set_estimate(x, 0, 40);
  const auto run = reference(Pipeline(best));
  const Buffer<float> least(run->outputs().buffers[0].buffer),
      given(run->inputs().buffers.at("costs").buffer);
  const Buffer<int> index(run->outputs().buffers[1].buffer);
  for (int i = 0; i < 40; ++i) {
    ASSERT_GE(index(i), 0) << i;
    EXPECT_EQ(given(i, index(i)), least(i));
  }
  EXPECT_THAT(judged(*run, run->outputs()).remarks, IsEmpty());
}

// The outputs of a GPU are those of the second pipeline.
TEST_F(ReferenceRunTest, AShiftByMoreBitsThanThereAreIsNotJudged) {
  ImageParam value(Int(32), 1, "value"), by(UInt(8), 1, "by");
  const Expr amount = cast<std::uint32_t>(by(x));
  const auto made = [&](const Expr &shifted) {
    Func output("output");
    output(x) = shifted;
    output.set_estimate(x, 0, 400);
    return Pipeline(output);
  };
  const Pipeline shifts = made(value(x) >> amount);
  const VerifyReport wide = judged(
      shifts, made(select(amount > 31, select(value(x) < 0, -1, 0), value(x) >> min(amount, 31))));
  EXPECT_EQ(wide.verdict(), Verdict::Undecided);
  EXPECT_THAT(wide.remarks, Contains(HasSubstr("may shift by as many bits")));
  EXPECT_EQ(judged(shifts, made(value(x))).verdict(), Verdict::Different);
  const Pipeline clamped = made(value(x) >> min(amount, 31));
  EXPECT_THAT(judged(clamped, made(value(x))).remarks, IsEmpty());
}

// The read is inside a call of the definition itself, so every schedule is compiled wrongly.
TEST_F(ReferenceRunTest, AnUpdateThatHalideGetsWrongIsNamed) {
  ImageParam costs(Float(32), 2, "costs");
  Func best("best");
  const RDom r(0, 9);
  best(x) = Tuple(100.0f, -1);
  best(x) = Tuple(min(costs(x, r), best(x)[0]),
                  select(costs(x, r) < abs(best(x)[0]), Expr(r), best(x)[1]));
  best.set_estimate(x, 0, 40);
  const auto run = reference(Pipeline(best));
  const Buffer<int> index(run->outputs().buffers[1].buffer);
  EXPECT_GE(index(0), 0);
  EXPECT_THAT(judged(*run, run->outputs()).remarks,
              Contains(HasSubstr("computes an update of " + best.name() + " wrongly")));
}

// On a host, the instruction has 12 right bits.
TEST_F(ReferenceRunTest, ReciprocalsAreExactButForSchedulesOnAHost) {
  ImageParam in(Float(32), 1, "in");
  Func output("output");
  output(x) = fast_inverse(in(x) + 1.0f) * fast_inverse_sqrt(in(x) + 2.0f);
  output.set_estimate(x, 0, 400);
  const auto worst = [&](bool approximates) {
    const auto run = reference(Pipeline(output), approximates);
    const Buffer<float> found(run->outputs().buffers[0].buffer),
        given(run->inputs().buffers.at("in").buffer);
    double error = 0;
    for (int i = 0; i < 400; ++i) {
      const double value = static_cast<double>(given(i));
      const double exact = 1 / ((value + 1) * std::sqrt(value + 2));
      error = std::max(error, std::abs(static_cast<double>(found(i)) / exact - 1));
    }
    return error;
  };
  EXPECT_LT(worst(false), 1e-6);
  EXPECT_GT(worst(true), 1e-6);
}

// Returns the vertical mean of 41 rows without some of them, rounded to a byte.
Pipeline verticalFilter(int left) {
  Var x{"x"}, y{"y"};
  ImageParam in(UInt(8), 2, "in");
  Func output("output");
  Expr sum = 0.0f, weights = 0.0f;
  for (int tap = 0; tap < 41; ++tap) {
    const float weight = std::exp(-static_cast<float>((tap - 20) * (tap - 20)) / 128);
    weights += weight;
    if (tap < left) sum += weight * cast<float>(in(x, y + tap));
  }
  output(x, y) = cast<std::uint8_t>(round(sum / weights));
  output.set_estimates({{0, 67}, {0, 135}});
  in.set_estimates({{0, 67}, {0, 175}});
  return Pipeline(output);
}

TEST_F(ReferenceRunTest, ATapOfFortyOneIsMissed) {
  const VerifyReport report = judged(verticalFilter(41), verticalFilter(40));
  ASSERT_EQ(report.outputs.size(), 1U);
  EXPECT_EQ(report.outputs[0].beyond, 0) << "no pixel is off by more than one";
  EXPECT_EQ(report.verdict(), Verdict::Different);
  EXPECT_TRUE(judged(verticalFilter(41), verticalFilter(41)).equal());
}

// A map that is iterated until rounding decides every value.
TEST_F(ReferenceRunTest, ChaosIsUndecided) {
  const auto iterated = [&](float factor) {
    ImageParam in(Float(32), 1, "in");
    Func output("output");
    Expr value = in(x);
    for (int i = 0; i < 60; ++i)
      value = factor * value * (1.0f - value);
    output(x) = value;
    output.set_estimate(x, 0, 400);
    return Pipeline(output);
  };
  const VerifyReport report = judged(iterated(3.9f), iterated(3.9f * (1 + 2e-7f)));
  EXPECT_EQ(report.verdict(), Verdict::Undecided);
  EXPECT_THAT(report.whyUndecided(), HasSubstr("rounding decides about"));
  const VerifyReport calm = judged(iterated(2.9f), iterated(2.9f * (1 + 2e-7f)));
  EXPECT_EQ(calm.verdict(), Verdict::Equal) << "here the map has a fixed point";
}

// The order of a sum matters where it cancels: the terms of the first half are huge, and those of
// the second half take them away again.
TEST_F(ReferenceRunTest, SumsInAnotherOrderAreNotWrong) {
  const auto sum = [&](bool backwards) {
    ImageParam in(Float(32), 2, "in");
    Func output("output");
    const RDom r(0, 64);
    const Expr at = backwards ? 63 - r : Expr(r);
    output(x) = 0.0f;
    output(x) += select(at < 32, 1e5f * in(x, at), in(x, at) - 1e5f * in(x, max(at - 32, 0)));
    output.set_estimate(x, 0, 400);
    in.set_estimates({{0, 400}, {0, 64}});
    return Pipeline(output);
  };
  const auto run = reference(sum(false));
  const VerifyReport report = judged(*run, reference(sum(true))->outputs());
  EXPECT_EQ(report.outputs[0].beyond, 0) << "of " << report.outputs[0].different;
  EXPECT_NE(report.verdict(), Verdict::Different);
  EXPECT_EQ(run->otherRuns(), 5);
  (void)judged(*run, reference(sum(true))->outputs());
  EXPECT_EQ(run->otherRuns(), 5) << "the runs are kept";
}

TEST_F(ReferenceRunTest, EqualOutputsNeedNoOtherRuns) {
  const auto run = reference(verticalFilter(41));
  EXPECT_TRUE(judged(*run, run->outputs()).equal());
  EXPECT_EQ(run->otherRuns(), 0);
}

TEST_F(ReferenceRunTest, NothingButNaNIsUndecided) {
  ImageParam in(Float(32), 1, "in");
  Func output("output");
  output(x) = sqrt(-2.0f - in(x));
  output.set_estimate(x, 0, 40);
  const auto run = reference(Pipeline(output));
  const VerifyReport report = judged(*run, run->outputs());
  EXPECT_EQ(report.verdict(), Verdict::Undecided);
  EXPECT_THAT(report.whyUndecided(), HasSubstr("40 of 40 elements are NaN"));
}

// All inputs from [0, 1) are above 0, so the outputs would all be 1.
TEST_F(ReferenceRunTest, InputsAreDrawnSoThatOutputsVary) {
  ImageParam in(Float(32), 1, "in");
  Func output("output");
  output(x) = select(in(x) < 0.0f, 0, 1);
  output.set_estimate(x, 0, 400);
  const auto run = reference(Pipeline(output));
  const VerifyReport report = judged(*run, run->outputs());
  EXPECT_TRUE(report.equal());
  EXPECT_THAT(report.remarks, Contains(HasSubstr("the random inputs are of both signs")));
}

} // namespace
} // namespace tessera::halide::testing

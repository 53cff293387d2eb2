// SPDX-License-Identifier: MIT
// Tunes with real workers on a fake of NVIDIA's driver (tests/engine/bench/fake_cuda.cpp), which
// fails in several ways during the tuning.
#include "engine/tune/tune.h"

#include "engine/tune/tune_proposer.h"
#include "engine/cost/prediction.h"
#include "engine/job/sanitized.h"
#include "tests/engine/tune/tune_test.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>

namespace tessera::tune {
namespace {

using testing::HasSubstr;

using test::kRight;
using test::TuneTest;

TEST_F(TuneTest, KeepsWhatALearnedModelNeeds) {
  auto client = gpu(kRight);
  const TuneResult result =
      run(request(), client, [](const TuneState &state) { return state.measured >= 3; });
  ASSERT_FALSE(result.error) << result.error->message;
  ASSERT_TRUE(result.best);
  EXPECT_GT(result.best->seconds, 0);
  EXPECT_GT(result.state.compilerBusy, 0);
  EXPECT_LE(result.state.compilerBusy, 1.01);
  EXPECT_GT(result.state.gpuBusy, 0);
  std::size_t complete = 0;
  for (const TunedCandidate &one : stored()) {
    EXPECT_FALSE(one.schedule.empty());
    EXPECT_THAT(one.features, HasSubstr("\"parts_ms\""));
    if (one.outcome != Outcome::Ok) continue;
    ++complete;
    EXPECT_THAT(one.report, HasSubstr("\"operations\""));
    EXPECT_THAT(one.measurement, HasSubstr("\"back_to_back\""));
    EXPECT_EQ(one.attempts, 1);
    EXPECT_GT(one.seconds.value_or(0), 0);
    EXPECT_GE(*one.seconds, result.best->seconds);
  }
  EXPECT_GE(complete, 3U);
  EXPECT_EQ(complete, result.state.measured);
}

// Proposals are ordered by an optimistic time, which they may reach. The store keeps the predicted
// time instead.
TEST_F(TuneTest, TheStoreHasTheModelsTimeNotWhatIsHopedFor) {
  const TuneRequest tuned = request();
  TuneProposer proposer(tuned, {});
  const auto output = tuned.start.pipeline()->outputs().front().func;
  proposer.learn({{tuned.start, 1e-3}, {{output, 1e-3}}});
  proposer.around(1); // skips a neighbour of the start, for which both times are equal
  const std::vector<TuneWork> proposed = proposer.around(6);
  ASSERT_FALSE(proposed.empty());
  for (const TuneWork &one : proposed) {
    EXPECT_EQ(one.record.origin, "kernels");
    EXPECT_DOUBLE_EQ(one.record.predictedSeconds,
                     cost::predict(one.candidate.schedule, m_machine).seconds);
    // The start took far longer than predicted.
    EXPECT_GT(one.candidate.seconds, 2 * one.record.predictedSeconds);
  }
}

TEST_F(TuneTest, WhatSomebodyStartsFromIsMeasuredFirstAndOnce) {
  auto client = gpu(kRight);
  TuneRequest tuned = request();
  tuned.isStartMeasured = true;
  const TuneResult result =
      run(tuned, client, [](const TuneState &state) { return state.measured >= 2; });
  ASSERT_TRUE(result.best);
  const auto isStart = [&](const TunedCandidate &one) {
    return one.hash == tuned.start.hash() && one.origin == "start";
  };
  const auto all = stored();
  EXPECT_EQ(std::ranges::count_if(all, isStart), 1);
  const auto start = std::ranges::find_if(all, isStart);
  ASSERT_TRUE(start->seconds);
  EXPECT_LE(result.best->seconds, *start->seconds);
  EXPECT_TRUE(TuneProposer(tuned, all).started().empty());
}

TEST_F(TuneTest, OfWhatIsFarSlowerThanTheFastestARoughTimeWillDo) {
  // All launches from the 16th on are slow. Before them, the first candidate is completely
  // measured, and the third has begun.
  auto client = gpu(kRight + "crawl 16");
  TuneRequest tuned = request();
  tuned.measure.batches = 3;
  run(tuned, client, [](const TuneState &state) { return state.measured >= 6; });
  // The counts have only lower limits, because the order depends on how fast the compilers are.
  int whole = 0, rough = 0;
  for (const TunedCandidate &one : stored()) {
    if (one.outcome != Outcome::Ok) continue;
    const auto measured = bench::measurementFromJson(nlohmann::json::parse(one.measurement));
    whole += measured->backToBack.samples == 3;
    rough += measured->backToBack.samples == 2;
  }
  EXPECT_GE(whole, 1);
  EXPECT_GE(rough, 3);
}

TEST_F(TuneTest, WhatATuningStartsFromByItselfIsNoCandidate) {
  const TuneRequest tuned = request();
  EXPECT_TRUE(TuneProposer(tuned, {}).started().empty());
}

TEST_F(TuneTest, ASecondRunMeasuresNothingTwice) {
  auto client = gpu(kRight);
  const auto enough = [](const TuneState &state) { return state.measured >= 2; };
  run(request(), client, enough);
  const auto before = stored();
  const TuneResult second = run(request(), client, enough);
  const auto ended = [](const TunedCandidate &one) { return one.outcome.has_value(); };
  EXPECT_EQ(second.state.known, static_cast<std::size_t>(std::ranges::count_if(before, ended)));
  expectKept(before);
}

// Three points of a grid, of which two give the same schedule: the run ends with two measurements,
// and a second one has nothing left.
TEST_F(TuneTest, AGridIsMeasuredAndNothingElse) {
  auto client = gpu(kRight);
  TuneRequest tuned = request();
  tuned.algorithm = "mullapudi";
  tuned.grid = {{{"LOAD_COST", 0}}, {{"LOAD_COST", 10}}, {{"LOAD_COST", 10.5}}};
  const auto never = [](const TuneState &) { return false; };
  const TuneResult result = run(tuned, client, never);
  ASSERT_FALSE(result.error) << result.error->message;
  EXPECT_TRUE(result.best);
  EXPECT_EQ(result.state.proposed, 2U);
  EXPECT_EQ(result.state.measured, 2U);
  EXPECT_LT(result.state.seconds, std::chrono::duration<double>(tuned.budget).count());
  for (const TunedCandidate &one : stored())
    EXPECT_EQ(one.origin, "mullapudi");
  EXPECT_EQ(run(tuned, client, never).state.proposed, 0U);
}

// Two batches, of which the second is ranked by what the first taught. A second run has nothing
// left.
TEST_F(TuneTest, BatchesOfBeamAreMeasuredAndNothingElse) {
  auto client = gpu(kRight);
  TuneRequest tuned = request();
  tuned.algorithm = "beam";
  tuned.parameters = {{"SAMPLES", 10}, {"BEAM", 2}, {"PASSES", 1}};
  tuned.beam = {.batches = 2, .isTrained = true};
  const auto never = [](const TuneState &) { return false; };
  const TuneResult result = run(tuned, client, never);
  ASSERT_FALSE(result.error) << result.error->message;
  EXPECT_TRUE(result.best);
  EXPECT_GT(result.state.measured, 10U);
  EXPECT_EQ(result.state.measured + result.state.failed, result.state.proposed);
  ASSERT_EQ(result.trained.size(), 1U);
  EXPECT_GE(result.trained.front().samples, 9U);
  EXPECT_GE(result.trained.front().bestSeconds, result.best->seconds);
  for (const TunedCandidate &one : stored())
    EXPECT_EQ(one.origin, "beam");
  EXPECT_EQ(run(tuned, client, never).state.proposed, 0U);
}

struct Fault {
  const char *name;
  const char *wishes;
  Outcome outcome;
};
void PrintTo(const Fault &fault, std::ostream *out) { *out << fault.name; }

class TuneFaultTest : public TuneTest, public testing::WithParamInterface<Fault> {};

// Each worker measures at least one candidate before it fails. A fresh worker then goes on.
TEST_P(TuneFaultTest, IsOneCandidatesEndAndTheTuningGoesOn) {
  auto client = gpu(kRight + GetParam().wishes);
  TuneRequest faulty = request();
  faulty.measureTimeout = std::chrono::seconds(job::kSanitized ? 20 : 2);
  const TuneResult result = run(faulty, client, [](const TuneState &state) {
    return state.failed >= 1 && state.measured >= 5; // a failing worker measures at most 4
  });
  EXPECT_FALSE(result.error) << result.error->message;
  EXPECT_TRUE(result.best);
  EXPECT_GE(storedAs(GetParam().outcome), 1U);
  EXPECT_EQ(storedAs(GetParam().outcome), result.state.failed);
  EXPECT_EQ(storedAs(Outcome::Ok), result.state.measured);
  EXPECT_GE(client.starts(), 2);
  // The bundles of finished candidates are removed.
  for (const TunedCandidate &one : stored()) {
    if (!one.outcome) continue;
    EXPECT_FALSE(std::filesystem::exists(folder() + "/bundles/" + std::to_string(one.hash)));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Faults, TuneFaultTest,
    testing::Values(Fault{"LaunchFails", "after 16 fail cuLaunchKernel 701", Outcome::LaunchError},
                    Fault{"IllegalAddress", "after 16 fail cuCtxSynchronize 700",
                          Outcome::LaunchError},
                    Fault{"EndlessKernel", "after 16 hang cuCtxSynchronize", Outcome::RunTimeout},
                    Fault{"NoMemory", "after 16 fail cuMemAlloc 2", Outcome::DeviceMemory},
                    Fault{"DriverCrashes", "after 16 die cuLaunchKernel", Outcome::Crashed},
                    Fault{"WrongOutput", "flip 16", Outcome::WrongOutput}),
    [](const auto &test) { return test.param.name; });

// The device answers again after the failure, and the candidate is measured as usual.
TEST_F(TuneTest, ALostDeviceCostsNobodyAnything) {
  auto client = gpu(kRight + "after 16 fail cuCtxSynchronize 999");
  const TuneResult result =
      run(request(), client, [](const TuneState &state) { return state.measured >= 5; });
  EXPECT_FALSE(result.error) << result.error->message;
  EXPECT_GE(result.state.measured, 5U);
  EXPECT_EQ(result.state.failed, 0U);
  EXPECT_GE(client.starts(), 2);
}

TEST_F(TuneTest, ADeviceThatIsGoneEndsTheRunAndTheNextGoesOn) {
  auto gone = gpu("fail cuInit 100");
  const auto never = [](const TuneState &) { return false; };
  const TuneResult first = run(request(), gone, never);
  ASSERT_TRUE(first.error);
  EXPECT_THAT(first.error->message, HasSubstr("The GPU is lost"));
  EXPECT_FALSE(first.best);
  const auto left = stored();
  ASSERT_FALSE(left.empty());
  for (const TunedCandidate &one : left) {
    EXPECT_FALSE(one.outcome) << "none is to blame";
    EXPECT_EQ(one.attempts, 0);
  }
  auto back = gpu(kRight);
  const TuneResult second =
      run(request(), back, [](const TuneState &state) { return state.measured >= 2; });
  EXPECT_TRUE(second.best);
}

// The candidate looks as if the program had been killed twice during its measurement.
TEST_F(TuneTest, ACandidateThatTookEverythingDownTwiceIsLeftOut) {
  auto gone = gpu("fail cuInit 100");
  run(request(), gone, [](const TuneState &) { return false; });
  const std::uint64_t suspect = stored().front().hash;
  ASSERT_TRUE(m_store->beginMeasuring(m_context, suspect));
  ASSERT_TRUE(m_store->beginMeasuring(m_context, suspect));
  auto back = gpu(kRight);
  run(request(), back, [](const TuneState &state) { return state.measured >= 2; });
  EXPECT_EQ(storedAs(Outcome::SkippedKnownBad), 1U);
  const auto after = stored();
  const auto left = std::ranges::find(after, suspect, &TunedCandidate::hash);
  ASSERT_NE(left, after.end());
  EXPECT_EQ(left->outcome, Outcome::SkippedKnownBad);
}

TEST_F(TuneTest, WhereNothingCompilesItEndsByItself) {
  auto client = gpu(kRight);
  TuneRequest hasty = request();
  hasty.compileTimeout = std::chrono::milliseconds(1);
  const TuneResult result = run(hasty, client, [](const TuneState &) { return false; });
  EXPECT_FALSE(result.error);
  EXPECT_FALSE(result.best);
  EXPECT_GT(result.state.failed, 0U);
  EXPECT_EQ(storedAs(Outcome::CompileTimeout), result.state.failed);
  EXPECT_LT(result.state.seconds, 50);
}

class TuneByKernelsTest : public TuneTest {
protected:
  TuneRequest byKernels() {
    TuneRequest tuned = request();
    tuned.byKernels = true;
    return tuned;
  }
  std::vector<TimedKernel> kernels() const { return *m_store->kernels(m_context); }
};

// The double's times are those of the calls, so that some kernels are faster and some slower.
TEST_F(TuneByKernelsTest, OnlyWhatMayBeTheFastestIsMeasuredAsAWhole) {
  auto client = gpu(kRight);
  const TuneResult result = run(byKernels(), client, [](const TuneState &state) {
    return state.measured >= 2 && state.estimated >= 2;
  });
  ASSERT_FALSE(result.error) << result.error->message;
  ASSERT_TRUE(result.best);
  EXPECT_EQ(result.state.failed, 0U);
  EXPECT_EQ(kernels().size(), result.state.kernels);
  std::size_t whole = 0, told = 0;
  for (const TunedCandidate &one : stored()) {
    if (one.outcome != Outcome::Ok) continue;
    EXPECT_EQ(one.seconds.has_value(), !one.measurement.empty());
    ++(one.seconds ? whole : told);
    EXPECT_FALSE(std::filesystem::exists(folder() + "/bundles/" + std::to_string(one.hash)));
  }
  EXPECT_EQ(whole, result.state.measured);
  EXPECT_EQ(told, result.state.estimated);
  for (const TimedKernel &one : kernels()) {
    EXPECT_GT(one.seconds.value_or(0), 0) << one.message;
    EXPECT_FALSE(std::filesystem::exists(folder() + "/bundles/" + one.content));
    EXPECT_FALSE(std::filesystem::exists(folder() + "/bundles/" + one.content + ".cut"));
  }
}

TEST_F(TuneByKernelsTest, ALaterRunMeasuresNoKernelTwice) {
  auto client = gpu(kRight);
  const auto enough = [](const TuneState &state) { return state.measured + state.estimated >= 3; };
  const TuneResult first = run(byKernels(), client, enough);
  const std::size_t before = kernels().size();
  EXPECT_GE(before, first.state.kernels);
  const TuneResult second = run(byKernels(), client, enough);
  EXPECT_EQ(kernels().size(), before + second.state.kernels);
  EXPECT_TRUE(second.best);
}

TEST_F(TuneByKernelsTest, AKernelThatHangsIsItsCandidatesEnd) {
  auto client = gpu(kRight + "after 16 hang cuCtxSynchronize");
  TuneRequest faulty = byKernels();
  faulty.measureTimeout = std::chrono::seconds(job::kSanitized ? 20 : 2);
  const TuneResult result =
      run(faulty, client, [](const TuneState &state) { return state.failed >= 1; });
  EXPECT_FALSE(result.error) << result.error->message;
  EXPECT_GE(storedAs(Outcome::RunTimeout), 1U);
}

TEST_F(TuneByKernelsTest, ALostDeviceCostsNobodyAnything) {
  auto client = gpu(kRight + "after 16 fail cuCtxSynchronize 999");
  const TuneResult result = run(byKernels(), client, [](const TuneState &state) {
    return state.measured + state.estimated >= 5;
  });
  EXPECT_FALSE(result.error) << result.error->message;
  EXPECT_EQ(result.state.failed, 0U);
  EXPECT_GE(client.starts(), 2);
}

// Nothing says more than the candidate as a whole.
TEST_F(TuneByKernelsTest, AKernelThatDoesNotCompileAloneIsMeasuredWithTheOthers) {
  auto client = gpu(kRight);
  const auto start = byKernels();
  const auto parts = kernelsOf(start.start);
  ASSERT_TRUE(parts) << parts.error().message;
  for (const CandidateKernel &kernel : *parts)
    ASSERT_TRUE(m_store->addKernel(
        m_context, {.content = kernel.content, .outcome = Outcome::CompileError, .message = "no"}));
  TuneRequest tuned = start;
  tuned.isStartMeasured = true;
  const TuneResult result =
      run(tuned, client, [](const TuneState &state) { return state.measured >= 1; });
  ASSERT_TRUE(result.best);
  const auto all = stored();
  const auto whole = std::ranges::find(all, tuned.start.hash(), &TunedCandidate::hash);
  ASSERT_NE(whole, all.end());
  EXPECT_TRUE(whole->seconds);
}

} // namespace
} // namespace tessera::tune

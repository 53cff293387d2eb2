// SPDX-License-Identifier: MIT
// Rows for training: of schedules, and of a store that a tuning left, on a real sample.
#include "engine/tune/learning_rows.h"

#include "engine/cost/prediction.h"
#include "engine/host/machines.h"
#include "engine/learn/algorithm_features.h"
#include "engine/open/halide_workers.h"
#include "engine/schedule/edits/default_schedule.h"
#include "engine/schedule/text/schedule_json.h"
#include "tests/engine/host/scratch_test.h"
#include "tests/engine/schedule/scheduled.h"
#include "tests/support/build_paths.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace tessera::tune {
namespace {

using schedule::testing::scheduled;
using ::testing::HasSubstr;

constexpr const char *kPoint = "input in 1024 512\nfunc f(x y) 1024 512 = in(x; y)\noutput f\n";
constexpr const char *kBlocks = "f split x xo xi 32 guard_with_if | gpu_threads xi | gpu_blocks "
                                "xo y\n";

TEST(LearningRows, AScheduleCountsOnceForEachApplication) {
  const schedule::Schedule schedule = scheduled(kPoint, kBlocks);
  LearningRows rows(machine::Machine{});
  EXPECT_TRUE(rows.add(schedule, {"point", "98ba92ae", 0.5}));
  EXPECT_FALSE(rows.add(schedule, {"point", "98ba92ae", 0.25}));
  EXPECT_TRUE(rows.add(schedule, {"point input=0:64", "", 0.25}));
  EXPECT_EQ(rows.known(), 1U);
  const std::vector<learn::DataRow> made = rows.take();
  ASSERT_EQ(made.size(), 2U);
  EXPECT_EQ(made[0].sample.milliseconds, 0.5);
  EXPECT_EQ(made[0].commit, "98ba92ae");
  EXPECT_EQ(made[0].hash, std::to_string(schedule.hash()));
  EXPECT_EQ(made[0].machine, machine::Machine().title);
  EXPECT_EQ(made[0].sample.cores, machine::Machine().multiprocessors);
  EXPECT_EQ(made[0].predicted.milliseconds,
            cost::predict(schedule, machine::Machine()).milliseconds());
  EXPECT_EQ(made[0].sample.stages, learn::scheduleFeatures(schedule, machine::Machine()));
  EXPECT_EQ(*made[0].sample.algorithm, learn::algorithmFeatures(*schedule.pipeline()));
}

TEST(LearningRows, KernelsHaveTheirTimesAndWhatPtxasReported) {
  const schedule::Schedule schedule = scheduled(kPoint, kBlocks);
  report::KernelReport report;
  report.stages = {{"f", 0}};
  report.assembler = report::AssemblerReport{.registers = 77};
  LearningRows rows(machine::Machine{});
  rows.add(schedule, {"measured", "", 0.5, {{"f", 0.25}}, {report}});
  rows.add(schedule, {"alone", "", 0.5});
  const std::vector<learn::DataRow> made = rows.take();
  ASSERT_EQ(made.size(), 2U);
  ASSERT_EQ(made[0].predicted.kernels.size(), 1U);
  constexpr double kGap = 1.25e-3; // milliseconds to the next kernel, which is predicted, too
  EXPECT_DOUBLE_EQ(made[0].predicted.kernels[0].measured, 0.25 + kGap);
  ASSERT_EQ(made[0].compiled.kernels.size(), 1U);
  EXPECT_DOUBLE_EQ(made[0].compiled.kernels[0].measured, 0.25 + kGap);
  EXPECT_NE(made[0].compiled.kernels[0].features, made[0].predicted.kernels[0].features);
  EXPECT_TRUE(made[1].compiled.kernels.empty());
  const cost::Prediction prediction = cost::predict(schedule, machine::Machine());
  ASSERT_EQ(made[1].predicted.kernels.size(), 1U);
  EXPECT_DOUBLE_EQ(made[1].predicted.kernels[0].measured,
                   0.5 * prediction.kernels[0].time.seconds / prediction.seconds)
      << "the time of a whole with one kernel is known, too";
}

TEST(LearningRows, SchedulesShareTheFeaturesOfOneAlgorithm) {
  const schedule::Schedule one = scheduled(kPoint, kBlocks);
  const schedule::Schedule other = scheduled(
      one.base(), "f split x xo xi 64 guard_with_if | gpu_threads xi | gpu_blocks xo y\n");
  LearningRows rows(machine::Machine{});
  rows.add(one, {"point", "", 1});
  rows.add(other, {"point", "", 1});
  const std::vector<learn::DataRow> made = rows.take();
  ASSERT_EQ(made.size(), 2U);
  EXPECT_EQ(made[0].sample.algorithm, made[1].sample.algorithm);
}

TEST(LearningRows, WhatCannotBeLearnedFromIsLeftOut) {
  const schedule::Schedule large =
      scheduled("input in 2048 512\nfunc f(x y) 2048 512 = in(x; y)\noutput f\n",
                "f gpu_threads x | gpu_blocks y\n");
  LearningRows rows(machine::Machine{});
  EXPECT_FALSE(rows.add(large, {"large", "", 1})) << "a block has 1024 threads at most";
  EXPECT_EQ(rows.refused(), 1U);
  EXPECT_FALSE(rows.add(scheduled(kPoint, kBlocks), {"point", "", 0})) << "a time is above 0";
  EXPECT_EQ(rows.refused(), 2U);
  EXPECT_TRUE(rows.take().empty());
}

class StoredRowsTest : public host::test::ScratchTest {
protected:
  StoredRowsTest() : m_opener(tools, std::make_shared<host::TrustStore>("")) {
    auto opened = TuneStore::open(folder() + "/tune.sqlite");
    EXPECT_TRUE(opened);
    store = std::move(*opened);
  }

  // Keeps the default schedule of blur, as a tuning at these sizes would.
  void measure(const std::string &estimates, double seconds, const std::string &machine = "h200") {
    const auto blur = m_opener.open(request);
    ASSERT_TRUE(blur) << blur.error().message;
    const auto hash = host::fileHash(blur->file.pipeline);
    const auto context = store->contextId({"blur", *hash, estimates, machine, "NVIDIA H200"});
    ASSERT_TRUE(context);
    const schedule::Schedule start = schedule::defaultSchedule(blur->pipeline);
    TunedCandidate candidate;
    candidate.hash = start.hash();
    candidate.schedule = schedule::toJson(start).dump();
    ASSERT_TRUE(store->propose(*context, candidate));
    candidate.outcome = Outcome::Ok;
    candidate.seconds = seconds;
    candidate.measurement = "{\"program\": \"0.1.0 (5c2f0a91b3d4)\"}";
    ASSERT_TRUE(store->finish(*context, candidate));
  }
  Result<StoredRows> rows() { return rowsInStore(*store, request, m_opener, tools); }

  const host::ToolPaths tools = builtTools();
  const open::OpenRequest request{tools.samples + "/blur.hlpipe"};
  std::unique_ptr<TuneStore> store;

private:
  open::PipelineOpener m_opener;
};

TEST_F(StoredRowsTest, AreOfThePipelineAtItsSizes) {
  measure("[]", 1e-5);
  measure(R"([{"name": "output", "dims": [{"min": 0, "extent": 640}, {"min": 0, "extent": 480}]},
              {"inputs_sha256": "12"}])",
          1e-6);
  ASSERT_TRUE(store->contextId({"other", "another hash", "[]", "h200", "NVIDIA H200"}));
  const auto found = rows();
  ASSERT_TRUE(found) << found.error().message;
  ASSERT_EQ(found->rows.size(), 2U);
  EXPECT_EQ(found->unread, 0U);
  EXPECT_EQ(found->rows[0].application, "blur");
  EXPECT_EQ(found->rows[0].commit, "0.1.0 (5c2f0a91b3d4)");
  EXPECT_DOUBLE_EQ(found->rows[0].sample.milliseconds, 1e-2);
  EXPECT_EQ(found->rows[1].application, "blur output=0:640,0:480");
  const auto points = [&](std::size_t row) {
    return found->rows[row].sample.stages.back()[learn::ScheduleFeature::PointsMinimum];
  };
  EXPECT_EQ(points(1), 640 * 480);
  EXPECT_GT(points(0), points(1));
}

TEST_F(StoredRowsTest, ADamagedStoreIsNamed) {
  measure("[{\"name\": \"output\", \"dims\": 3}]", 1e-5);
  const auto found = rows();
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error().message, HasSubstr("sizes of 'blur' are damaged"));
}

TEST_F(StoredRowsTest, AMachineThatIsGoneIsNamed) {
  measure("[]", 1e-5, "my-voodoo");
  const auto found = rows();
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error().message, HasSubstr("my-voodoo"));
}

} // namespace
} // namespace tessera::tune

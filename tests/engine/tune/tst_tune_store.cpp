// SPDX-License-Identifier: MIT
#include "engine/tune/tune_store.h"

#include "engine/tune/tune_queue.h"
#include "tests/engine/host/scratch_test.h"
#include "tests/engine/pipeline/sketch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tessera::tune {
namespace {

using testing::HasSubstr;

class TuneStoreTest : public host::test::ScratchTest {
protected:
  TuneStoreTest() : m_path(folder() + "/store/tune.sqlite") {}

  std::unique_ptr<TuneStore> open() const {
    auto store = TuneStore::open(m_path);
    EXPECT_TRUE(store) << (store ? "" : store.error().message);
    return std::move(*store);
  }
  static TunedCandidate candidate(std::uint64_t hash) {
    TunedCandidate one;
    one.hash = hash;
    one.origin = "neighbour";
    one.parent = 7;
    one.schedule = "{}";
    one.features = "[1]";
    one.predictedSeconds = 0.25;
    return one;
  }
  static TunedCandidate measured(std::uint64_t hash, double seconds) {
    TunedCandidate one = candidate(hash);
    one.outcome = Outcome::Ok;
    one.seconds = seconds;
    one.measurement = "{\"a\":1}";
    one.report = "{\"b\":2}";
    one.compileSeconds = 1.5;
    return one;
  }

  const std::string m_path;
  const TuneContext kContext{"blur", "abc", "[]", "h200", "NVIDIA H200"};
};

constexpr std::uint64_t kLarge = 0xffffffffffffff01; // larger than SQLite's signed integers

TEST_F(TuneStoreTest, EverythingIsThereAfterReopening) {
  std::int64_t context = 0;
  {
    const auto store = open();
    context = *store->contextId(kContext);
    ASSERT_TRUE(store->propose(context, candidate(kLarge)));
    ASSERT_TRUE(store->beginMeasuring(context, kLarge));
    EXPECT_TRUE(*store->finish(context, measured(kLarge, 0.5)));
  }
  const auto store = open();
  EXPECT_EQ(*store->contextId(kContext), context);
  const auto all = *store->candidates(context);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].hash, kLarge);
  EXPECT_EQ(all[0].parent, 7U);
  EXPECT_EQ(all[0].features, "[1]");
  EXPECT_EQ(all[0].attempts, 1);
  EXPECT_EQ(all[0].outcome, Outcome::Ok);
  EXPECT_EQ(all[0].seconds, 0.5);
  EXPECT_EQ(all[0].measurement, "{\"a\":1}");
  EXPECT_EQ(all[0].report, "{\"b\":2}");
}

TEST_F(TuneStoreTest, WhatIsKnownStaysAsItIs) {
  const auto store = open();
  const std::int64_t context = *store->contextId(kContext);
  ASSERT_TRUE(store->propose(context, candidate(1)));
  EXPECT_TRUE(*store->finish(context, measured(1, 0.5)));
  ASSERT_TRUE(store->propose(context, candidate(1)));
  ASSERT_TRUE(store->beginMeasuring(context, 1));
  EXPECT_FALSE(*store->finish(context, measured(1, 0.1)));
  const auto all = *store->candidates(context);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].seconds, 0.5);
  EXPECT_EQ(all[0].attempts, 0);
}

TEST_F(TuneStoreTest, AnotherDeviceOrSizeIsAnotherContext) {
  const auto store = open();
  const std::int64_t here = *store->contextId(kContext);
  TuneContext other = kContext;
  other.device = "NVIDIA A100";
  const std::int64_t there = *store->contextId(other);
  other = kContext;
  other.estimates = "[{}]";
  EXPECT_NE(here, there);
  EXPECT_NE(*store->contextId(other), here);
  ASSERT_TRUE(store->propose(here, candidate(1)));
  EXPECT_TRUE(store->candidates(there)->empty());
}

TEST_F(TuneStoreTest, AFileThatIsNoStoreIsRefusedAndLeft) {
  const std::string path = file("notes.txt", std::string(4096, 'x'));
  const auto store = TuneStore::open(path);
  ASSERT_FALSE(store);
  EXPECT_THAT(store.error().message, HasSubstr("notes.txt"));
  EXPECT_EQ(host::readFile(path)->size(), 4096U);
}

TEST_F(TuneStoreTest, OneOfANewerProgramIsRefused) {
  ASSERT_TRUE(host::Database::open(m_path)->run("PRAGMA user_version=99"));
  const auto store = TuneStore::open(m_path);
  ASSERT_FALSE(store);
  EXPECT_THAT(store.error().message, HasSubstr("version 99"));
}

TEST(TuneQueue, TheBestIsTakenFirstAndAStopWakes) {
  const auto pipeline = pipeline::test::sketch("input in 8\nfunc f(x) 8 = in(x)\noutput f\n");
  const schedule::Schedule schedule(pipeline);
  TuneQueue queue;
  for (const double seconds : {3.0, 1.0, 2.0})
    queue.put({{schedule, seconds}, {}, {}});
  std::stop_source stop;
  EXPECT_EQ(queue.take(stop.get_token())->candidate.seconds, 1.0);
  EXPECT_EQ(queue.take(stop.get_token())->candidate.seconds, 2.0);
  EXPECT_EQ(queue.size(), 1U);
  stop.request_stop();
  EXPECT_FALSE(queue.take(stop.get_token()));
}

TEST_F(TuneStoreTest, AKernelIsKeptOncePerDevice) {
  const auto store = open();
  const auto here = store->contextId({"blur", "abc", "[]", "h200", "H200"});
  const auto alike = store->contextId({"harris", "def", "[]", "h200", "H200"});
  const auto other = store->contextId({"blur", "abc", "[]", "h100", "H100"});
  TimedKernel kernel{.content = "c",
                     .seconds = 2e-6,
                     .func = "f",
                     .candidate = 7,
                     .compileSeconds = 0.5,
                     .report = "{}",
                     .measurement = "{}"};
  ASSERT_TRUE(store->addKernel(*here, kernel));
  kernel.seconds = 3e-6;
  ASSERT_TRUE(store->addKernel(*alike, kernel)); // known there, of whatever pipeline
  const TimedKernel refused{
      .content = "c", .outcome = Outcome::CompileError, .message = "too many registers"};
  ASSERT_TRUE(store->addKernel(*other, refused));
  for (const auto &context : {here, alike}) {
    const auto kept = store->kernels(*context);
    ASSERT_TRUE(kept);
    ASSERT_EQ(kept->size(), 1U);
    EXPECT_EQ(kept->front().seconds, 2e-6);
    EXPECT_EQ(kept->front().func, "f");
    EXPECT_EQ(kept->front().candidate, 7U);
    EXPECT_EQ(kept->front().outcome, Outcome::Ok);
  }
  const auto there = store->kernels(*other);
  ASSERT_EQ(there->size(), 1U);
  EXPECT_FALSE(there->front().seconds);
  EXPECT_EQ(there->front().outcome, Outcome::CompileError);
  EXPECT_EQ(there->front().message, "too many registers");
}

} // namespace
} // namespace tessera::tune

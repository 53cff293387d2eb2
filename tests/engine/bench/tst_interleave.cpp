// SPDX-License-Identifier: MIT
// Several bundles that take turns in one worker.
#include "tests/engine/bench/gpu_worker_test.h"

#include <nlohmann/json.hpp>

#include <optional>

namespace tessera::bench {
namespace {

using testing::HasSubstr;

class InterleaveTest : public test::GpuWorkerTest {
protected:
  InterleaveOptions twice() {
    InterleaveOptions options;
    options.bundles = {test::kBundle, bundleCopy()};
    options.reference = test::kReference;
    options.rounds = 5;
    options.batchSeconds = 1e-4;
    options.warmUpSeconds = 0.02;
    return options;
  }
};

TEST_F(InterleaveTest, EachIsCheckedAndTimedInEveryRound) {
  GpuClient client(worker(test::kRight));
  std::vector<std::optional<std::size_t>> measured;
  const auto answer =
      client.interleave(twice(), test::kTimeout, {}, [&](const job::Progress &progress) {
        if (progress.phase == "measuring") measured.push_back(progress.item);
      });
  ASSERT_EQ(answer.outcome, Outcome::Ok) << answer.error.message;
  ASSERT_EQ(answer.value.size(), 2U);
  for (const Measurement &one : answer.value) {
    EXPECT_TRUE(one.verified());
    EXPECT_EQ(one.backToBack.samples, 5);
    EXPECT_GT(one.backToBack.median, 0);
    ASSERT_EQ(one.kernels.size(), 2U);
    EXPECT_EQ(one.kernels.front().registers, 24);
    EXPECT_EQ(one.pipeline, "blur");
  }
  // The protocol may drop progress messages, but never reorders them.
  EXPECT_THAT(measured, testing::Contains(testing::Optional(1U)));
}

// The runtimes of both bundles are loaded at the same time, and each asks for its own kernels.
TEST_F(InterleaveTest, OneWorkerServesManyRequests) {
  GpuClient client(worker(test::kRight));
  const InterleaveOptions options = twice();
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(client.interleave(options, test::kTimeout).outcome, Outcome::Ok);
  EXPECT_EQ(client.measure(GpuWorkerTest::options(), test::kTimeout).outcome, Outcome::Ok);
  EXPECT_EQ(client.starts(), 1);
}

TEST_F(InterleaveTest, TheProgressSaysWhoseTurnItWas) {
  const InterleaveOptions options = twice();
  for (const auto &[wishes, outcome] :
       {std::pair{std::string("after 5 fail cuCtxSynchronize 700"), Outcome::LaunchError},
        {"after 5 hang cuCtxSynchronize", Outcome::RunTimeout},
        {"after 5 die cuLaunchKernel", Outcome::Crashed},
        {"flip 5", Outcome::WrongOutput}}) {
    GpuClient client(worker(test::kRight + wishes));
    job::Progress last;
    const auto answer = client.interleave(options, std::chrono::seconds(3), {},
                                          [&](const job::Progress &progress) { last = progress; });
    EXPECT_EQ(answer.outcome, outcome) << wishes << ": " << answer.error.message;
    EXPECT_EQ(last.phase, "first run") << wishes;
    EXPECT_EQ(last.item, 1U) << wishes;
  }
}

TEST_F(InterleaveTest, RequestsThatMeanNothingAreRefused) {
  InterleaveOptions none;
  EXPECT_THAT(interleaveOptionsFromJson(toJson(none)).error().message, HasSubstr("no bundles"));
  InterleaveOptions many;
  many.bundles = {"a"};
  many.rounds = 100'000;
  EXPECT_THAT(interleaveOptionsFromJson(toJson(many)).error().message,
              HasSubstr("'rounds' is out of range"));
  many.rounds = 3;
  EXPECT_EQ(*interleaveOptionsFromJson(toJson(many)), many);
}

} // namespace
} // namespace tessera::bench

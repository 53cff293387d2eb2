// SPDX-License-Identifier: MIT
#include "engine/job/job_queue.h"

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <future>
#include <latch>
#include <mutex>
#include <random>
#include <thread>

namespace tessera::job {
namespace {

using namespace std::chrono_literals;

// Blocks until the job is asked to stop.
void untilStopped(const JobContext &context) {
  std::mutex mutex;
  std::condition_variable_any never;
  std::unique_lock lock(mutex);
  never.wait(lock, context.stop, [] { return false; });
}

TEST(JobQueue, RunsJobsAndWaitsForThem) {
  JobQueue queue(2);
  std::atomic<int> ran{0};
  for (int i = 0; i < 10; ++i)
    queue.submit({std::to_string(i), [&](const JobContext &) { ++ran; }, {}, {}});
  queue.waitIdle();
  EXPECT_EQ(ran, 10);
}

TEST(JobQueue, TellsAJobItsId) {
  JobQueue queue(1);
  std::promise<JobId> told;
  const JobId id =
      queue.submit({"a", [&](const JobContext &context) { told.set_value(context.id); }, {}, {}});
  EXPECT_EQ(told.get_future().get(), id);
}

TEST(JobQueue, ANewerJobStopsTheRunningOne) {
  JobQueue queue(2);
  std::latch running(1);
  std::atomic<int> replaced{0}, ran{0};
  const JobId old = queue.submit({"search",
                                  [&](const JobContext &context) {
                                    running.count_down();
                                    untilStopped(context);
                                    ++ran;
                                  },
                                  {},
                                  [&] {
                                    EXPECT_EQ(ran, 1) << "only after it has returned";
                                    ++replaced;
                                  }});
  running.wait();
  EXPECT_TRUE(queue.isCurrent(old));
  const JobId newer = queue.submit({"search", [&](const JobContext &) { ++ran; }, {}, {}});
  EXPECT_FALSE(queue.isCurrent(old));
  EXPECT_TRUE(queue.isCurrent(newer));
  queue.waitIdle();
  EXPECT_EQ(ran, 2);
  EXPECT_EQ(replaced, 1);
  EXPECT_TRUE(queue.isCurrent(newer)) << "also after its end";
}

TEST(JobQueue, OnlyTheLatestOfManyWaitingRuns) {
  JobQueue queue(1);
  std::latch running(1);
  std::promise<void> go;
  queue.submit({"blocker",
                [&, gate = go.get_future().share()](const JobContext &) {
                  running.count_down();
                  gate.wait();
                },
                {},
                {}});
  running.wait();
  std::vector<int> ran;
  std::atomic<int> replaced{0};
  for (int i = 0; i < 5; ++i)
    queue.submit(
        {"search", [&ran, i](const JobContext &) { ran.push_back(i); }, {}, [&] { ++replaced; }});
  go.set_value();
  queue.waitIdle();
  EXPECT_EQ(ran, (std::vector<int>{4}));
  EXPECT_EQ(replaced, 4);
}

TEST(JobQueue, TwoOfOneTagNeverRunTogetherOthersDo) {
  JobQueue queue(3);
  std::atomic<int> ofTag{0};
  std::atomic<bool> together{false};
  std::latch meeting(2); // opens only if jobs of two tags run at the same time
  for (const char *tag : {"a", "b"})
    queue.submit({tag, [&](const JobContext &) { meeting.arrive_and_wait(); }, {}, {}});
  queue.waitIdle();
  for (int i = 0; i < 50; ++i)
    queue.submit({"a",
                  [&](const JobContext &) {
                    if (++ofTag != 1) together = true;
                    std::this_thread::yield();
                    --ofTag;
                  },
                  {},
                  {}});
  queue.waitIdle();
  EXPECT_FALSE(together);
}

TEST(JobQueue, CancelsARunningJob) {
  JobQueue queue(1);
  std::latch running(1);
  std::atomic<bool> replaced{false};
  const JobId id = queue.submit({"a",
                                 [&](const JobContext &context) {
                                   running.count_down();
                                   untilStopped(context);
                                 },
                                 {},
                                 [&] { replaced = true; }});
  running.wait();
  queue.cancel(id);
  queue.waitIdle();
  EXPECT_FALSE(replaced) << "it ran, and says itself how it ended";
  EXPECT_TRUE(queue.isCurrent(id));
}

TEST(JobQueue, CancelsAWaitingJob) {
  JobQueue queue(1);
  std::latch running(1);
  queue.submit({"blocker",
                [&](const JobContext &context) {
                  running.count_down();
                  untilStopped(context);
                },
                {},
                {}});
  running.wait();
  bool ran = false;
  int replaced = 0;
  const JobId id =
      queue.submit({"a", [&](const JobContext &) { ran = true; }, {}, [&] { ++replaced; }});
  queue.cancel(id);
  EXPECT_EQ(replaced, 1);
  queue.cancelTag("blocker");
  queue.waitIdle();
  queue.cancel(id); // the job is gone already
  EXPECT_FALSE(ran);
  EXPECT_EQ(replaced, 1);
}

TEST(JobQueue, ProgressIsThrottledAndTheLastCallArrives) {
  JobQueue queue(1);
  std::atomic<int> calls{0};
  std::atomic<double> last{0};
  const auto begin = std::chrono::steady_clock::now();
  queue.submit({"a",
                [](const JobContext &context) {
                  for (int i = 1; i <= 10'000; ++i)
                    context.progress({"step", i / 10'000.0});
                },
                [&](const Progress &progress) { ++calls, last = progress.fraction; },
                {}});
  queue.waitIdle();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  EXPECT_EQ(last, 1.0);
  EXPECT_LE(calls, 2 + 30 * seconds.count());
}

TEST(JobQueue, WhatWasHeldBackArrivesWhileTheJobGoesOn) {
  // The job reports a quick phase and then a long one, after which it reports nothing more. The
  // listener has to hear of the long phase, although reports are throttled.
  JobQueue queue(1);
  std::promise<void> sawLast;
  queue.submit({"a",
                [&](const JobContext &context) {
                  context.progress({"quick", 0});
                  context.progress({"long", 0});
                  untilStopped(context);
                },
                [&](const Progress &progress) {
                  if (progress.phase == "long") sawLast.set_value();
                },
                {}});
  EXPECT_EQ(sawLast.get_future().wait_for(10s), std::future_status::ready);
}

TEST(JobQueue, ASupersededJobReportsNoMore) {
  JobQueue queue(2);
  std::latch running(1);
  std::atomic<bool> superseded{false}, late{false};
  queue.submit({"a",
                [&](const JobContext &context) {
                  running.count_down();
                  untilStopped(context);
                  context.progress({"late", 1});
                },
                [&](const Progress &) { late = superseded.load(); },
                {}});
  running.wait();
  superseded = true;
  queue.submit({"a", [](const JobContext &) {}, {}, {}});
  queue.waitIdle();
  EXPECT_FALSE(late);
}

TEST(JobQueue, AListenerMaySubmitAndCancel) {
  JobQueue queue(1);
  std::promise<void> ran;
  std::atomic<JobId> first{};
  queue.submit({"a",
                [&](const JobContext &context) {
                  first = context.id;
                  context.progress({"now", 0});
                },
                [&](const Progress &) {
                  queue.cancel(first);
                  queue.submit({"a", [&](const JobContext &) { ran.set_value(); }, {}, {}});
                },
                {}});
  EXPECT_EQ(ran.get_future().wait_for(10s), std::future_status::ready);
  queue.waitIdle();
}

TEST(JobQueue, DestructionStopsRunningAndReplacesWaitingJobs) {
  std::atomic<int> replaced{0}, stopped{0};
  {
    JobQueue queue(1);
    std::latch running(1);
    queue.submit({"a",
                  [&](const JobContext &context) {
                    running.count_down();
                    untilStopped(context);
                    ++stopped;
                  },
                  {},
                  {}});
    running.wait();
    for (const char *tag : {"b", "c"})
      queue.submit({tag, [](const JobContext &) { FAIL(); }, {}, [&] { ++replaced; }});
  }
  EXPECT_EQ(stopped, 1);
  EXPECT_EQ(replaced, 2);
}

TEST(JobQueue, AJobThatSubmitsWhileTheQueueGoesIsTold) {
  std::atomic<int> replaced{0};
  {
    JobQueue queue(1);
    std::latch running(1);
    queue.submit(
        {"a",
         [&](const JobContext &context) {
           running.count_down();
           untilStopped(context);
           queue.submit({"b", [](const JobContext &) { FAIL(); }, {}, [&] { ++replaced; }});
         },
         {},
         {}});
    running.wait();
  }
  EXPECT_EQ(replaced, 1);
}

TEST(JobQueue, EveryJobEndsExactlyOnceUnderRandomUse) {
  // Threads submit, cancel and replace jobs at random. Each job ran or was replaced, or both if it
  // was superseded while it ran. `replaced` is never called twice.
  struct Fate {
    std::atomic<int> ran{0}, replaced{0};
  };
  constexpr int kThreads = 3, kJobs = 300;
  std::vector<std::vector<Fate>> fates(kThreads);
  for (auto &ofThread : fates)
    ofThread = std::vector<Fate>(kJobs);
  {
    JobQueue queue(2);
    std::vector<std::jthread> threads;
    for (int t = 0; t < kThreads; ++t)
      threads.emplace_back([&, t] {
        std::mt19937 random(static_cast<unsigned>(t));
        for (int i = 0; i < kJobs; ++i) {
          Fate &fate = fates[t][i];
          const JobId id = queue.submit({std::string(1, static_cast<char>('a' + random() % 3)),
                                         [&fate](const JobContext &context) {
                                           context.progress({"p", 0});
                                           context.progress({"p", 1});
                                           ++fate.ran;
                                         },
                                         [](const Progress &) {}, [&fate] { ++fate.replaced; }});
          if (random() % 4 == 0) queue.cancel(id);
          if (random() % 16 == 0) queue.cancelTag("b");
        }
      });
    threads.clear();
    queue.waitIdle();
  }
  for (const auto &ofThread : fates)
    for (const Fate &fate : ofThread) {
      EXPECT_LE(fate.ran, 1);
      EXPECT_LE(fate.replaced, 1);
      EXPECT_GE(fate.ran + fate.replaced, 1);
    }
}

} // namespace
} // namespace tessera::job

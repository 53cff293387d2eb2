// SPDX-License-Identifier: MIT
// The real worker on a fake driver, whose ceiling kernels take a fixed time for each step.
#include "engine/bench/ceilings.h"

#include "engine/bench/device/ceiling_kernels.h"
#include "tests/engine/bench/gpu_worker_test.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <sstream>
#include <vector>

namespace tessera::bench {
namespace {

using nlohmann::json;
using testing::HasSubstr;

struct Launch {
  std::string kernel;
  std::uint64_t blocks = 0, threads = 0, mask = 0, steps = 0;
};

class CeilingsTest : public test::GpuWorkerTest {
protected:
  std::string log() const { return folder() + "/launches"; }
  std::string wishes() const { return "ceilings 1000 " + log() + " "; } // a step takes 1 µs

  // The last launch of each kernel is a sample.
  std::map<std::string, Launch> samples() const {
    const auto text = host::readFile(log());
    EXPECT_TRUE(text);
    std::istringstream lines(text ? *text : "");
    std::map<std::string, Launch> last;
    for (Launch l; lines >> l.kernel >> l.blocks >> l.threads >> l.mask >> l.steps;)
      last[l.kernel] = l;
    return last;
  }
};

TEST_F(CeilingsTest, ARateIsWhatWasDoneByTheTimeItTook) {
  GpuClient client(worker(wishes()));
  const auto answer = client.ceilings(test::kTimeout);
  ASSERT_EQ(answer.outcome, Outcome::Ok) << answer.error.message;
  const auto launched = samples();
  ASSERT_EQ(answer.value.rates.size(), ceilingKernels().size());
  for (std::size_t k = 0; k < ceilingKernels().size(); ++k) {
    const CeilingRate &rate = answer.value.rates[k];
    const Launch &l = launched.at(rate.name);
    EXPECT_EQ(rate.name, ceilingKernels()[k].name);
    const double seconds = 20e-6 + 1e-6 * static_cast<double>(l.steps);
    const double done =
        static_cast<double>(l.blocks * l.threads * l.steps) * ceilingKernels()[k].perThreadStep;
    EXPECT_NEAR(rate.perSecond, done / seconds, 1e-4 * rate.perSecond) << rate.name;
    EXPECT_EQ(rate.perSecond, rate.medianPerSecond); // all samples are equal
    EXPECT_EQ(rate.samples, 9);
    EXPECT_EQ(l.threads, 256U);
    EXPECT_EQ(l.blocks, 7U * 1024 / 256);  // all blocks that are resident at once
    EXPECT_GT(seconds, 1e-3) << rate.name; // much longer than the overhead of a launch
    EXPECT_LT(seconds, 10e-3) << rate.name;
  }
}

TEST_F(CeilingsTest, EachMovesTheMemoryThatItIsAbout) {
  GpuClient client(worker(wishes()));
  const auto answer = client.ceilings(test::kTimeout);
  ASSERT_EQ(answer.outcome, Outcome::Ok) << answer.error.message;
  const auto launched = samples();
  const auto bytes = [&](const std::string &kernel) {
    return static_cast<std::int64_t>(launched.at(kernel).mask + 1) * kChunkBytes;
  };
  EXPECT_EQ(bytes("dram_read"), std::int64_t{64} << 20); // 64 times the L2 of the fake device
  EXPECT_EQ(bytes("dram_write"), bytes("dram_read"));
  EXPECT_EQ(bytes("l2_read"), 512 << 10); // half of the L2
  EXPECT_EQ(bytes("l1_read"), 16 << 10);
  for (const CeilingRate &rate : answer.value.rates)
    if (rate.unit == "bytes")
      EXPECT_EQ(rate.workingSet, bytes(rate.name)) << rate.name;
    else
      EXPECT_EQ(rate.workingSet, 0) << rate.name;
}

TEST_F(CeilingsTest, SayWhoseTheyAre) {
  GpuClient client(worker(wishes()));
  const auto answer = client.ceilings(test::kTimeout);
  ASSERT_EQ(answer.outcome, Outcome::Ok) << answer.error.message;
  EXPECT_EQ(answer.value.machine, "Fake GPU");
  EXPECT_EQ(answer.value.uuid, "GPU-abababab-abab-abab-abab-abababababab");
  EXPECT_EQ(answer.value.driver, "999.01");
  EXPECT_EQ(answer.value.after.multiprocessorMhz, 1700);
  EXPECT_FALSE(answer.value.date.empty());
  EXPECT_FALSE(answer.value.program.empty());
  EXPECT_GT(answer.value.seconds, 0);
}

TEST_F(CeilingsTest, WhatTheDriverRefusesIsSaid) {
  const auto refused = [&](const std::string &failure) {
    GpuClient client(worker(wishes() + failure));
    return client.ceilings(test::kTimeout);
  };
  const auto memory = refused("fail cuMemAlloc 2");
  EXPECT_EQ(memory.outcome, Outcome::DeviceMemory);
  EXPECT_THAT(memory.error.message, HasSubstr("cuMemAlloc for measuring ceilings"));
  const auto code = refused("fail cuModuleLoadDataEx 218");
  EXPECT_EQ(code.outcome, Outcome::CompileError);
  const auto launch = refused("fail cuLaunchKernel 701");
  EXPECT_EQ(launch.outcome, Outcome::LaunchError);
  EXPECT_THAT(launch.error.message, HasSubstr("launching dram_read"));
  const auto lost = refused("fail cuCtxSynchronize 719");
  EXPECT_EQ(lost.outcome, Outcome::LaunchError);
}

TEST_F(CeilingsTest, AKernelThatNeverEndsIsEnded) {
  GpuClient client(worker(wishes() + "hang cuCtxSynchronize"));
  EXPECT_EQ(client.ceilings(std::chrono::seconds(1)).outcome, Outcome::RunTimeout);
}

MeasuredCeilings example() {
  MeasuredCeilings ceilings{"a GPU", "GPU-1", "580", "13.0", "2026-11-22T11:05:00Z",
                            "0.1",   1.5,     {},    {},     {}};
  ceilings.after.multiprocessorMhz = 1980;
  ceilings.rates = {{"dram_read", "loads", "bytes", 4e12, 3.9e12, 9, 1 << 30}};
  return ceilings;
}

TEST(Ceilings, AreReadAsTheyWereWritten) {
  const auto read = ceilingsFromJson(json(toJson(example())));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, example());
  EXPECT_EQ(read->rate("dram_read"), 4e12);
  EXPECT_EQ(read->rate("dram_write"), 0);
}

TEST(Ceilings, WhatIsNoneIsRefusedByName) {
  const auto refusal = [](const json &patch) {
    json document = toJson(example());
    document.merge_patch(patch);
    const auto read = ceilingsFromJson(document);
    return read ? std::string() : read.error().message;
  };
  EXPECT_THAT(refusal({{"version", 2}}), HasSubstr("version 2"));
  EXPECT_THAT(refusal({{"colour", 1}}), HasSubstr("'colour'"));
  EXPECT_THAT(refusal({{"uuid", nullptr}}), HasSubstr("'uuid'"));
  json zero = json(toJson(example()))["rates"];
  zero[0]["per_second"] = 0;
  EXPECT_THAT(refusal({{"rates", zero}}), HasSubstr("not positive"));
}

} // namespace
} // namespace tessera::bench

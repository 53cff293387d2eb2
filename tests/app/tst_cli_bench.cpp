// SPDX-License-Identifier: MIT
// Tests the commands bench and machine probe on fakes of NVIDIA's libraries
// (tests/engine/bench/fake_cuda.cpp).
#include "tests/app/fake_gpu_test.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <filesystem>

namespace tessera::app::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;

class CliBenchTest : public FakeGpuTest {};

TEST_F(CliBenchTest, MeasuresABundle) {
  const Ran ran = run({"bench", kBundle});
  EXPECT_EQ(ran.code, 0) << ran.errors;
  EXPECT_THAT(
      ran.output,
      StartsWith("blur on Fake GPU, driver 999.01, CUDA 13.0, at most 64 registers per thread\n"
                 "outputs equal the reference\nconsecutive"));
  EXPECT_THAT(ran.output,
              HasSubstr("cold cache         40.0 µs   40.0 µs to 40.0 µs, 11 samples\n"));
  EXPECT_THAT(ran.output,
              HasSubstr("k0_blur_x_s0         1     20.0 µs         24            0\n"));
  EXPECT_THAT(
      ran.output,
      HasSubstr("before: 1700 MHz, memory 2600 MHz, 41 °C, 123 W, throttled: power limit\n"));
}

TEST_F(CliBenchTest, JsonIsTheMeasurement) {
  const Ran ran = run({"bench", kBundle, "--json", "--batches", "3", "--no-cold", "--no-single",
                       "--no-allocating", "--events"});
  EXPECT_EQ(ran.code, 0) << ran.errors;
  const json measurement = json::parse(ran.output);
  EXPECT_EQ(measurement["verified"], true);
  EXPECT_EQ(measurement["back_to_back"]["samples"], 3);
  EXPECT_EQ(measurement["cold_cache"], nullptr);
  EXPECT_EQ(measurement["single"], nullptr);
  EXPECT_EQ(measurement["allocating"], nullptr);
  EXPECT_EQ(measurement["kernel_clock"], "events");
}

TEST_F(CliBenchTest, AWrongOutputHasAnExitCodeOfItsOwn) {
  wish("");
  const Ran ran = run({"bench", kBundle});
  EXPECT_EQ(ran.code, 5);
  EXPECT_EQ(ran.output, "");
  EXPECT_THAT(ran.errors, HasSubstr("the output 'output' is wrong"));
}

TEST_F(CliBenchTest, AKernelThatNeverEndsIsEnded) {
  wish("hang cuCtxSynchronize");
  const Ran ran = run({"bench", kBundle, "--timeout", "1"});
  EXPECT_EQ(ran.code, 4);
  EXPECT_THAT(ran.errors, HasSubstr("phase 'first run' within 1000 ms"));
}

TEST_F(CliBenchTest, CompilesAPipelineForTheGpuThatIsThere) {
  wish("device 7 5");
  const std::string bundle = home() + "/made";
  const Ran ran = run({"bench", kSamples + "gradient.hlpipe", "--schedule", "default", "--estimate",
                       "output=0:64,0:32", "-o", bundle});
  EXPECT_EQ(ran.code, 5) << ran.errors; // wrong output: the fake GPU computes nothing
  const auto text = host::readFile(bundle + "/bundle.json");
  ASSERT_TRUE(text);
  EXPECT_THAT(json::parse(*text)["target"].get<std::string>(), HasSubstr("cuda_capability_75"));
  EXPECT_TRUE(fs::exists(bundle + "/reference/reference.json"));
}

TEST_F(CliBenchTest, ANewerGpuGetsTheNewestThatPtxasKnows) {
  useNotingPtxas();
  wish(kRight + "device 13 0");
  const Ran ran = run({"bench", kSamples + "blur.hlpipe", "--schedule", "default", "--estimate",
                       "output=0:320,0:240", "--batches", "1"});
  EXPECT_EQ(ran.code, 0) << ran.errors;
  const auto asked = host::readFile(ptxasNotes());
  ASSERT_TRUE(asked);
  EXPECT_THAT(*asked, HasSubstr("-arch=sm_121 "));
}

TEST_F(CliBenchTest, RequestsThatMeanNothing) {
  const Ran without = run({"bench", kSamples + "blur.hlpipe"});
  EXPECT_EQ(without.code, 2);
  EXPECT_THAT(without.errors, HasSubstr("No schedule to measure"));
  const Ran both = run({"bench", kBundle, "--schedule", "default"});
  EXPECT_EQ(both.code, 2);
  EXPECT_THAT(both.errors, HasSubstr("compiled already"));
  const Ran nowhere =
      run({"bench", kSamples + "blur.hlpipe", "--schedule", "default", "--prepare"});
  EXPECT_EQ(nowhere.code, 2);
  EXPECT_THAT(nowhere.errors, HasSubstr("-o DIR"));
}

TEST_F(CliBenchTest, MeasuresOnAnotherMachine) {
  useFakeSsh();
  const Ran ran = run({"bench", kBundle, "--host", "me@gpu"});
  EXPECT_EQ(ran.code, 0) << ran.errors;
  EXPECT_THAT(ran.output, HasSubstr("outputs equal the reference"));
  const auto log = host::readFile(home() + "/log");
  ASSERT_TRUE(log);
  EXPECT_THAT(*log, HasSubstr("me@gpu: sh -c '.cache/tessera/gpu/tessera-gpu-"));
  EXPECT_TRUE(fs::exists(home() + "/there/.cache/tessera/gpu"));
}

TEST_F(CliBenchTest, ProbesTheGpu) {
  const Ran ran = run({"machine", "probe"});
  EXPECT_EQ(ran.code, 0) << ran.errors;
  EXPECT_THAT(ran.output, StartsWith("Fake GPU, compute capability 9.0\n"));
  EXPECT_THAT(ran.output, HasSubstr("             7  multiprocessors\n"
                                    "                reported by driver 999.01\n"));
  EXPECT_THAT(ran.output, HasSubstr("of the same compute capability: "));
  EXPECT_THAT(ran.errors, HasSubstr("not known: sm_threads: the driver does not report it"));
}

TEST_F(CliBenchTest, WhatWasProbedCanBeScheduledFor) {
  const std::string file = home() + "/gpu.json";
  const Ran probed = run({"machine", "probe", "-o", file});
  EXPECT_EQ(probed.code, 0) << probed.errors;
  const Ran shown = run({"occupancy", "--machine", file});
  EXPECT_EQ(shown.code, 0) << shown.errors;
}

TEST_F(CliBenchTest, WithoutADriverNothingIsProbed) {
  const std::string file = home() + "/libcuda.so.1";
  ASSERT_TRUE(host::writeFile(file, "no library"));
  ::setenv("LD_LIBRARY_PATH", home().c_str(), 1);
  const Ran ran = run({"machine", "probe"});
  EXPECT_EQ(ran.code, 4);
  EXPECT_THAT(ran.errors, HasSubstr("NVIDIA's driver was not found"));
}

} // namespace
} // namespace tessera::app::test

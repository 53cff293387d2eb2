// SPDX-License-Identifier: MIT
// Bundles, references, requests and machines that cannot be used. Each is refused with its own
// message.
#include "engine/host/files.h"
#include "tests/engine/bench/gpu_worker_test.h"

#include <nlohmann/json.hpp>

namespace tessera::bench {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class GpuRefusalTest : public test::GpuWorkerTest {
protected:
  void expectRefused(const MeasureOptions &wanted, const std::string &words) {
    GpuClient client(worker(test::kRight));
    const auto answer = client.measure(wanted, test::kTimeout);
    EXPECT_EQ(answer.outcome, Outcome::CompileError) << name(answer.outcome);
    EXPECT_EQ(answer.error.code, ErrorCode::InputRefused);
    EXPECT_THAT(answer.error.message, HasSubstr(words));
  }

  // Returns options for a copy of the bundle whose description was changed.
  template <typename Change>
  MeasureOptions changed(const Change &change) {
    MeasureOptions wanted = options();
    wanted.bundle = bundleCopy();
    const std::string path = wanted.bundle + "/bundle.json";
    json document = json::parse(*host::readFile(path));
    change(document);
    EXPECT_TRUE(host::writeFile(path, document.dump()));
    return wanted;
  }
};

TEST_F(GpuRefusalTest, NoBundle) {
  MeasureOptions wanted = options();
  wanted.bundle = folder() + "/nowhere";
  expectRefused(wanted, "nowhere/bundle.json' cannot be");
}

TEST_F(GpuRefusalTest, ADamagedDescription) {
  MeasureOptions wanted = options();
  wanted.bundle = bundleCopy();
  ASSERT_TRUE(host::writeFile(wanted.bundle + "/bundle.json", "{"));
  expectRefused(wanted, "it is not JSON");
}

TEST_F(GpuRefusalTest, AnotherLibraryThanDescribed) {
  MeasureOptions wanted = options();
  wanted.bundle = bundleCopy();
  auto library = *host::readFile(wanted.bundle + "/pipeline.so");
  library.back() ^= 1;
  ASSERT_TRUE(host::writeFile(wanted.bundle + "/pipeline.so", library));
  expectRefused(wanted, "its checksum differs");
}

TEST_F(GpuRefusalTest, NoLibrary) {
  expectRefused(changed([](json &bundle) { bundle["files"]["library"] = ""; }), "has no library");
}

TEST_F(GpuRefusalTest, AnotherApi) {
  expectRefused(changed([](json &bundle) { bundle["target"] = "x86-64-linux-opencl"; }),
                "only CUDA bundles are measured");
}

TEST_F(GpuRefusalTest, NoEntryPoint) {
  expectRefused(changed([](json &bundle) { bundle["entry_point"] = "elsewhere"; }),
                "no function 'elsewhere_argv'");
}

TEST_F(GpuRefusalTest, AnotherSizeThanTheReference) {
  expectRefused(changed([](json &bundle) {
                  for (json &argument : bundle["arguments"])
                    if (argument["name"] == "output") argument["dims"][0]["extent"] = 256;
                }),
                "does not have the type and size of the reference");
}

TEST_F(GpuRefusalTest, AReferenceForOtherInputs) {
  MeasureOptions wanted = options();
  wanted.seed = 2;
  expectRefused(wanted, "its inputs have seed 1, not 2");
}

TEST_F(GpuRefusalTest, AReferenceOfAnotherPipeline) {
  expectRefused(changed([](json &bundle) { bundle["pipeline_sha256"] = "0"; }),
                "it is for another pipeline");
}

TEST_F(GpuRefusalTest, ADamagedReference) {
  MeasureOptions wanted = options();
  wanted.bundle = bundleCopy();
  wanted.reference = wanted.bundle + "/reference";
  ASSERT_TRUE(host::writeFile(wanted.reference + "/reference.json", "[]"));
  expectRefused(wanted, "reference.json is not an object");
}

TEST_F(GpuRefusalTest, AReferenceIsMadeOnTheHost) {
  GpuClient client(worker(""));
  const auto answer =
      client.reference({.bundle = test::kBundle, .output = folder() + "/made"}, test::kTimeout);
  EXPECT_EQ(answer.outcome, Outcome::CompileError);
  EXPECT_THAT(answer.error.message, HasSubstr("is for CUDA"));
}

TEST_F(GpuRefusalTest, AMachineWithoutADriver) {
  ASSERT_TRUE(host::writeFile(folder() + "/libcuda.so.1", "no library"));
  job::ProcessOptions bare = worker("");
  bare.environment = {{"LD_LIBRARY_PATH", folder()}};
  GpuClient client(bare);
  const auto answer = client.describe(test::kTimeout);
  EXPECT_EQ(answer.outcome, Outcome::DeviceLost);
  EXPECT_THAT(answer.error.message, HasSubstr("NVIDIA's driver was not found"));
  EXPECT_THAT(answer.error.message, HasSubstr("libcuda.so.1"));
}

TEST_F(GpuRefusalTest, RequestsThatMeanNothing) {
  job::WorkerClient client(worker(""));
  const auto ask = [&](const char *type, json fields) {
    return client.request(type, std::move(fields), test::kTimeout).error.message;
  };
  json unknown = toJson(options());
  unknown["colour"] = "red";
  EXPECT_THAT(ask("measure", unknown), HasSubstr("unknown member 'colour'"));
  json huge = toJson(options());
  huge["batches"] = 1'000'000;
  EXPECT_THAT(ask("measure", huge), HasSubstr("'batches' is out of range"));
  EXPECT_THAT(ask("load", json::object()), HasSubstr("must name a bundle"));
  EXPECT_THAT(ask("dance", json::object()), HasSubstr("'dance'"));
}

} // namespace
} // namespace tessera::bench

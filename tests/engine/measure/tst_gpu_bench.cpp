// SPDX-License-Identifier: MIT
// GpuBench on a real worker and a fake of NVIDIA's driver (tests/engine/bench/fake_cuda.cpp).
#include "engine/measure/gpu_bench.h"

#include "engine/measure/bench.h"
#include "engine/bench/input_folder.h"
#include "engine/host/machines.h"
#include "tests/engine/host/scratch_test.h"
#include "tests/support/build_paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace tessera::measure {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;
using Where = GpuBench::Where;

const std::string kBundle = tessera::test::testPath("measured_bundle");
const std::string kRight = "write \"" + kBundle + "/reference/output0.raw\" ";
constexpr std::chrono::seconds kTime{20};

class GpuBenchTest : public host::test::ScratchTest {
protected:
  // Returns a client whose worker keeps received files in a folder of the test.
  bench::GpuClient gpu(const std::string &wishes = kRight) const {
    job::ProcessOptions options;
    options.program = builtTools().gpuWorker;
    options.environment = {{"LD_LIBRARY_PATH", tessera::test::testPath("fake_cuda")},
                           {"TESSERA_FAKE_CUDA", wishes},
                           {"XDG_CACHE_HOME", there()}};
    return bench::GpuClient(options);
  }
  std::string there() const { return folder() + "/there"; }

  // The number of bundle folders that the worker keeps.
  std::size_t kept() const {
    std::size_t count = 0;
    for (fs::recursive_directory_iterator at(there()), end; at != end; ++at)
      count += at->is_directory() && at->path().filename().string().starts_with("bundle-");
    return count;
  }

  // Returns a copy of the test bundle without its reference.
  std::string bundleAlone() const {
    const std::string copy = folder() + "/alone";
    fs::create_directories(copy);
    for (const fs::directory_entry &file : fs::directory_iterator(kBundle))
      if (file.is_regular_file()) fs::copy_file(file.path(), copy / file.path().filename());
    return copy;
  }

  static bench::MeasureOptions shortly() {
    bench::MeasureOptions options;
    options.batches = 1;
    options.batchSeconds = 1e-6;
    options.warmUpSeconds = 0;
    options.singles = options.coldSamples = options.tracedRuns = 0;
    options.allocating = options.graph = false;
    return options;
  }
};

TEST_F(GpuBenchTest, TheTargetIsTheGpus) {
  auto fake = gpu("device 8 0");
  const auto target = GpuBench(fake, Where::Here).target(kTime);
  ASSERT_EQ(target.outcome, Outcome::Ok) << target.error.message;
  EXPECT_EQ(target.value, (CompileTarget{80, "sm_80"}));
  auto gone = gpu("fail cuInit 100");
  EXPECT_EQ(GpuBench(gone, Where::Here).target(kTime).outcome, Outcome::DeviceLost);
}

TEST_F(GpuBenchTest, TheTargetIsTheSameForAGpuAndForItsMachine) {
  const host::ToolPaths tools = builtTools();
  for (const auto &[name, target] : {std::pair("h200", CompileTarget{86, "sm_90"}),
                                     std::pair("gtx-1080-ti", CompileTarget{61, "sm_75"})}) {
    const machine::Machine machine = *machineFor(name, tools);
    EXPECT_EQ(targetOf(machine), target) << name;
    bench::DeviceDescription device;
    device.major = machine.major;
    device.minor = machine.minor;
    EXPECT_EQ(targetOf(device), target) << name;
  }
}

// The compiler's remarks about a bundle depend on these limits (engine/halide/compile/compile.cpp).
TEST_F(GpuBenchTest, TheTargetHasTheLimitsOfTheGpu) {
  machine::Machine machine;
  machine.limits.threadsPerBlock = 256;
  machine.limits.sharedBytesPerBlock = 16 * 1024;
  EXPECT_EQ(targetOf(machine).limits, machine.limits);
  bench::DeviceDescription device;
  device.values = {{"threads_per_block", 256}, {"shared_bytes_per_block", 16 * 1024}};
  EXPECT_EQ(targetOf(device).limits, machine.limits);
  EXPECT_EQ(bundleRequest({}, 64, targetOf(device), "").gpu.limits, machine.limits);
}

TEST_F(GpuBenchTest, HereFoldersStayWhereTheyAre) {
  auto fake = gpu();
  GpuBench bench(fake, Where::Here);
  const auto placed = bench.place(kBundle, kBundle + "/reference");
  ASSERT_EQ(placed.outcome, Outcome::Ok);
  EXPECT_EQ(placed.value, (BenchFolders{kBundle, kBundle + "/reference", ""}));
  EXPECT_EQ(bench.place(kBundle, "").value.reference, "");
  EXPECT_EQ(bench.place(kBundle, folder()).value.reference, "") << "it holds no reference";
  EXPECT_EQ(bench.placeShared(kBundle + "/reference").value.reference, kBundle + "/reference");
  EXPECT_EQ(fake.starts(), 0) << "nobody has to be asked";
}

TEST_F(GpuBenchTest, AReferenceInTheBundleIsSentWithIt) {
  auto fake = gpu();
  GpuBench bench(fake, Where::Elsewhere);
  const auto placed = bench.place(kBundle, referenceFolderOf(kBundle));
  ASSERT_EQ(placed.outcome, Outcome::Ok) << placed.error.message;
  EXPECT_THAT(placed.value.bundle, StartsWith(there()));
  EXPECT_EQ(placed.value.reference, referenceFolderOf(placed.value.bundle));
  EXPECT_EQ(placed.value.inputs, "");
  EXPECT_EQ(kept(), 1U);
  const auto measured = bench.measure(shortly(), placed.value, kTime);
  ASSERT_EQ(measured.outcome, Outcome::Ok) << measured.error.message;
  EXPECT_TRUE(measured.value.verified());
}

TEST_F(GpuBenchTest, AReferenceOfItsOwnIsSentToo) {
  auto fake = gpu();
  GpuBench bench(fake, Where::Elsewhere);
  const auto placed = bench.place(bundleAlone(), kBundle + "/reference");
  ASSERT_EQ(placed.outcome, Outcome::Ok) << placed.error.message;
  EXPECT_THAT(placed.value.reference, AllOf(StartsWith(there()), testing::Ne(placed.value.bundle)));
  EXPECT_EQ(kept(), 2U);
  const auto measured = bench.measure(shortly(), placed.value, kTime);
  ASSERT_EQ(measured.outcome, Outcome::Ok) << measured.error.message;
  EXPECT_TRUE(measured.value.verified());
  const auto turns =
      bench.measureInTurns({.rounds = 2}, {placed.value, placed.value}, placed.value, kTime);
  ASSERT_EQ(turns.outcome, Outcome::Ok) << turns.error.message;
  ASSERT_EQ(turns.value.size(), 2U);
  EXPECT_TRUE(turns.value[1].verified());
}

TEST_F(GpuBenchTest, InputsAreFoundWhereTheReferenceWouldBe) {
  const std::string given = folder() + "/given";
  const pipeline::ScalarType byte{pipeline::TypeKind::UInt, 8};
  ASSERT_TRUE(bench::writeInputs({{"input", {byte, {2}, {1, 2}}}}, given));
  auto fake = gpu();
  const auto here = GpuBench(fake, Where::Here).place(kBundle, given);
  ASSERT_EQ(here.outcome, Outcome::Ok);
  EXPECT_EQ(here.value, (BenchFolders{kBundle, "", given})) << "nobody has computed a reference";
  const auto sent = GpuBench(fake, Where::Elsewhere).place(bundleAlone(), given);
  ASSERT_EQ(sent.outcome, Outcome::Ok) << sent.error.message;
  EXPECT_EQ(sent.value.reference, "");
  EXPECT_THAT(sent.value.inputs, StartsWith(there()));
  EXPECT_TRUE(fs::exists(sent.value.inputs + "/inputs.json"));
}

// The bench checks whether the worker still has the shared reference only after sixteen uses, or if
// the worker is a new process.
TEST_F(GpuBenchTest, ASharedReferenceIsAskedForNowAndThen) {
  auto fake = gpu();
  GpuBench bench(fake, Where::Elsewhere);
  const std::string reference = kBundle + "/reference";
  const auto first = bench.placeShared(reference);
  ASSERT_EQ(first.outcome, Outcome::Ok) << first.error.message;
  fs::remove_all(first.value.reference);
  for (int use = 1; use < 16; ++use)
    EXPECT_EQ(bench.placeShared(reference).value.reference, first.value.reference);
  EXPECT_FALSE(fs::exists(first.value.reference)) << "nobody has looked";
  EXPECT_EQ(bench.placeShared(reference).value.reference, first.value.reference);
  EXPECT_TRUE(fs::exists(first.value.reference)) << "it was sent again";
  fs::remove_all(first.value.reference);
  ASSERT_NE(fake.load(folder(), kTime).outcome, Outcome::Ok) << "it is not a bundle";
  ASSERT_EQ(fake.describe(kTime).outcome, Outcome::Ok);
  EXPECT_EQ(fake.starts(), 2);
  EXPECT_EQ(bench.placeShared(reference).value.reference, first.value.reference);
  EXPECT_TRUE(fs::exists(first.value.reference)) << "a new process is asked anew";
}

TEST_F(GpuBenchTest, SaysWhatCannotBeSent) {
  auto fake = gpu();
  GpuBench bench(fake, Where::Elsewhere);
  const auto placed = bench.place(folder() + "/nowhere", "");
  EXPECT_EQ(placed.outcome, Outcome::CompileError);
  EXPECT_THAT(placed.error.message, HasSubstr("nowhere"));
}

TEST_F(GpuBenchTest, SaysWhatCannotBeKeptThere) {
  fs::create_directories(there() + "/tessera");
  file("there/tessera/gpu", "where the bundles would be");
  auto fake = gpu();
  GpuBench bench(fake, Where::Elsewhere);
  const auto placed = bench.place(bundleAlone(), "");
  EXPECT_EQ(placed.outcome, Outcome::CompileError);
  EXPECT_EQ(placed.error.code, ErrorCode::System);
  EXPECT_THAT(placed.error.message, HasSubstr("tessera/gpu"));
  EXPECT_EQ(bench.placeShared(kBundle + "/reference").outcome, Outcome::CompileError);
}

} // namespace
} // namespace tessera::measure

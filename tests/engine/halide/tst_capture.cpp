// SPDX-License-Identifier: MIT
// The plugin as a generator loads it: tessera-gengen runs a small generator library with it.
#include "engine/job/child_process.h"
#include "tests/engine/halide/captured.h"
#include "tests/support/build_paths.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace tessera::halide::testing {
namespace {

job::ProcessReport runGenerator(const TemporaryFolder &folder,
                                const std::vector<std::string> &autoscheduler) {
  job::ProcessOptions options;
  options.program = tessera::test::binPath("tessera-gengen");
  options.arguments = {"-p",
                       tessera::test::binPath("libtessera_deep_generator.so") + "," +
                           tessera::test::binPath("libautoschedule_tessera.so"),
                       "-g",
                       "deep",
                       "-f",
                       "deep",
                       "-o",
                       folder.file(""),
                       "-e",
                       "hlpipe",
                       "target=host-no_runtime",
                       "autoscheduler=Tessera"};
  options.arguments.insert(options.arguments.end(), autoscheduler.begin(), autoscheduler.end());
  auto report = job::runProcess(options, std::chrono::seconds(60));
  if (!report) throw std::runtime_error(report.error().message);
  return *report;
}

// The generator's default schedule inlines everything and would not lower in reasonable time.
TEST(Capture, EndsBeforeHalideLowersTheDefaultSchedule) {
  const TemporaryFolder folder;
  const std::string path = folder.file("deep.hlpipe");
  const auto report = runGenerator(folder, {"autoscheduler.capture=" + path});
  EXPECT_EQ(report.end, (job::ProcessEnd{false, 0})) << report.errors;
  ImportOptions options;
  options.path = path;
  const auto prepared = preparePipeline(options);
  ASSERT_TRUE(prepared) << prepared.error().message;
  const auto parts = partsOf(*prepared, options);
  ASSERT_TRUE(parts) << parts.error().message;
  EXPECT_TRUE(parts->foundSchedule.empty()); // using_autoscheduler() was true for the generator
  EXPECT_EQ(parts->funcs.size(), 40u);
  EXPECT_EQ(parts->inputs[0].dims[0].source, pipeline::EstimateSource::Sidecar);
}

TEST(Capture, UnknownParameterIsRefusedByName) {
  const TemporaryFolder folder;
  const auto report = runGenerator(
      folder, {"autoscheduler.capture=" + folder.file("a.hlpipe"), "autoscheduler.beam=3"});
  EXPECT_NE(report.end, (job::ProcessEnd{false, 0}));
  EXPECT_NE(report.errors.find("unknown parameter \"autoscheduler.beam\""), std::string::npos)
      << report.errors;
  EXPECT_FALSE(std::filesystem::exists(folder.file("a.hlpipe")));
}

TEST(Capture, WithoutAPathItSaysWhatItCanDo) {
  const TemporaryFolder folder;
  const auto report = runGenerator(folder, {});
  EXPECT_NE(report.end, (job::ProcessEnd{false, 0}));
  EXPECT_NE(report.errors.find("only captures"), std::string::npos) << report.errors;
}

TEST(Capture, UnwritablePathIsNamed) {
  const TemporaryFolder folder;
  const auto report = runGenerator(folder, {"autoscheduler.capture=/proc/nowhere/deep.hlpipe"});
  EXPECT_NE(report.end, (job::ProcessEnd{false, 0}));
  EXPECT_NE(report.errors.find("/proc/nowhere"), std::string::npos) << report.errors;
}

} // namespace
} // namespace tessera::halide::testing

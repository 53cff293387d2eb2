// SPDX-License-Identifier: MIT
#include "engine/bench/device/ceiling_kernels.h"

#include "engine/host/files.h"
#include "engine/job/child_process.h"
#include "tests/support/build_paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <set>
#include <string>

namespace tessera::bench {
namespace {

using testing::HasSubstr;

TEST(CeilingKernels, EachNameIsAnEntry) {
  const std::string text = ceilingPtx();
  std::set<std::string> names;
  for (const CeilingKernel &kernel : ceilingKernels()) {
    EXPECT_TRUE(names.insert(kernel.name).second) << kernel.name;
    EXPECT_THAT(text, HasSubstr(".visible .entry " + kernel.name + "\n"));
    EXPECT_GT(kernel.perThreadStep, 0) << kernel.name;
    EXPECT_FALSE(kernel.label.empty()) << kernel.name;
  }
}

TEST(CeilingKernels, AreForEveryGpuSince2016) {
  EXPECT_THAT(ceilingPtx(), testing::StartsWith(".version 6.0\n.target sm_60\n"));
}

// Assembles the ceiling kernels for several architectures and reads what ptxas prints of each.
class AssembledKernels : public testing::TestWithParam<const char *> {
protected:
  void SetUp() override {
    if (std::string(TESSERA_TEST_PTXAS).empty()) GTEST_SKIP() << "ptxas is not here";
  }
  Result<host::ScratchFolder> m_scratch = host::ScratchFolder::create(testing::TempDir());
};

TEST_P(AssembledKernels, AreTakenWithoutSpills) {
  const std::string ptx = m_scratch->path() + "/ceilings.ptx";
  ASSERT_TRUE(host::writeFile(ptx, ceilingPtx()));
  const auto ran = job::runProcess({.program = tessera::test::sourcePath(TESSERA_TEST_PTXAS),
                                    .arguments = {"-v", "-arch=" + std::string(GetParam()), "-o",
                                                  m_scratch->path() + "/out.cubin", ptx}},
                                   std::chrono::seconds(60));
  ASSERT_TRUE(ran);
  EXPECT_EQ(ran->end.value, 0) << ran->errors;
  const std::string said = ran->output + ran->errors;
  std::size_t kernels = 0;
  const std::string kNone = "0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads";
  for (std::size_t at = said.find(kNone); at != std::string::npos; at = said.find(kNone, at + 1))
    ++kernels;
  EXPECT_EQ(kernels, ceilingKernels().size()) << said;
}

INSTANTIATE_TEST_SUITE_P(Architectures, AssembledKernels,
                         testing::Values("sm_75", "sm_80", "sm_90", "sm_120"));

} // namespace
} // namespace tessera::bench

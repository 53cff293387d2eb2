// SPDX-License-Identifier: MIT
// Tests the command export where it writes more than a text, as a script sees it, on samples.
#include "tests/app/cli_test.h"

#include <gmock/gmock.h>

namespace tessera::app {
namespace {

using test::kSamples;
using testing::HasSubstr;

class CliExport : public test::CliTest {};

// The default schedule of hist has a kernel for each func that others read.
TEST_F(CliExport, AKernelAloneIsAPipelineLikeOthers) {
  const std::string file = home() + "/alone.hlpipe";
  const std::vector<std::string> command{
      "export", kSamples + "hist.hlpipe", "--schedule", "default", "--kernel", "row_histogram"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), command.begin(), command.end());
    return run(more);
  };
  const Ran elsewhere = with({"-o", "kernel.h"});
  EXPECT_EQ(elsewhere.code, 2);
  EXPECT_THAT(elsewhere.errors, HasSubstr("Give -o NAME.hlpipe."));
  const Ran written = with({"-o", file});
  ASSERT_EQ(written.code, 0) << written.errors;
  const Ran explained = run({"explain", file, "--schedule", "manual"});
  EXPECT_EQ(explained.code, 0) << explained.errors;
  EXPECT_THAT(explained.output, HasSubstr("row_histogram"));
  EXPECT_THAT(run({"inspect", file}).output, HasSubstr("luma$kept0"));
  const Ran unknown = run({"export", kSamples + "hist.hlpipe", "--schedule", "default", "--kernel",
                           "none", "-o", file});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.errors, HasSubstr("It has kernels of: luma, row_histogram, "));
}

} // namespace
} // namespace tessera::app

// SPDX-License-Identifier: MIT
// The layout of the Python function. The tests in tests/engine/halide run it.
#include "engine/schedule/text/python_text.h"

#include "tests/engine/schedule/sketch.h"
#include "tests/support/golden.h"

#include <gmock/gmock.h>

namespace tessera::schedule {
namespace {

using ::testing::HasSubstr;

TEST(PythonText, IsWhatAPersonWouldWrite) {
  TextHeader header;
  header.pipeline = "hist";
  header.version = "0.3.0";
  header.registerCap = 64;
  const auto text = pythonText({header, sketch(R"(
    output      split x xo xi 32 auto | split y yo yi 8 guard_with_if | reorder xi yi xo yo
    output      gpu_blocks xo yo | gpu_threads xi yi
    hist.1      rfactor ~ro u ~r$x v -> hist_intm
    hist_intm   compute_at output:xo | store_in shared
    hist_intm.2 atomic 1 | unroll class
    input_im    in hist_intm hist -> input$0
    input$0     compute_at hist.1:~ro
    lut         clone_in a -> lut_copy
  )")});
  testing::expectGolden("tst_python_text/hist", text.value());
}

TEST(PythonText, NamesAreLiteralsOfPython) {
  const auto text =
      pythonText({{}, std::vector<Directive>{{"a\"\\\n\xc3\xa4", 0, Verb::ComputeRoot, {}, {}}}});
  EXPECT_THAT(text.value(), HasSubstr("find(\"a\\\"\\\\\\x0a\xc3\xa4\")"));
}

TEST(PythonText, SaysThatPythonCannotCarryBytes) {
  for (const char *bytes : {"\xff", "\xc3", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80"}) {
    const auto text = pythonText({{.machine = bytes}, {}});
    ASSERT_FALSE(text.ok());
    EXPECT_THAT(text.error().message, HasSubstr("not UTF-8"));
  }
  EXPECT_TRUE(pythonText({{.machine = "\xe2\x82\xac \xf0\x9f\x98\x80"}, {}}));
}

// What follows specialize() is of the variant, which is fetched again by its condition.
TEST(PythonText, VariantsAndOtherOpaqueCalls) {
  const auto text = pythonText({{.pipeline = "x"}, sketch(R"(
    f      async | ring_buffer 2 | specialize in.extent.0>8
    f@0    unroll x | specialize in.extent.1>8
    f@0.0  never_partition x
    f@0    parallel y
    f      specialize_fail small
  )")});
  EXPECT_THAT(text.value(), HasSubstr("    (f\n"
                                      "        .async_()\n"
                                      "        .ring_buffer(2)\n"
                                      "        .specialize(size(\"in.extent.0\") > 8)\n"
                                      "        .unroll(x)\n"
                                      "        .specialize(size(\"in.extent.1\") > 8)\n"
                                      "        .never_partition([x]))\n"
                                      "    f.specialize(size(\"in.extent.0\") > 8).parallel(y)\n"
                                      "    f.specialize_fail(\"small\")\n"));
}

TEST(PythonText, AnEmptyScheduleIsAFunctionToo) {
  EXPECT_THAT(pythonText({{.pipeline = "x"}, {}}).value(),
              HasSubstr("def apply_schedule_x(pipeline):\n    pass\n"));
}

} // namespace
} // namespace tessera::schedule

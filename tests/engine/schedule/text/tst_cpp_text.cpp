// SPDX-License-Identifier: MIT
// The C++ header: its layout, the names in it, and schedules that no text can express.
#include "engine/schedule/text/cpp_text.h"

#include "tests/engine/schedule/sketch.h"
#include "tests/support/golden.h"

#include <gmock/gmock.h>

namespace tessera::schedule {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string textOf(const std::string &directives) {
  return cppText({TextHeader{.pipeline = "test"}, sketch(directives)}).value();
}

TEST(CppText, IsWhatAPersonWouldWrite) {
  TextHeader header;
  header.pipeline = "harris";
  header.version = "0.3.0";
  header.machine = "NVIDIA H200";
  header.registerCap = 128;
  header.promises = {"input.stride(1) is a multiple of 4"};
  header.predictedMilliseconds = 0.0213;
  header.measuredMilliseconds = 0.0218;
  header.notes = {"lane registers"};
  const auto text = cppText({header, sketch(R"(
    output  split x xo xi 32 auto | split y yo yi 8 guard_with_if | reorder xi yi xo yo
    output  gpu_blocks xo yo | gpu_threads xi yi
    gray    compute_at output:xo | store_in shared | gpu_threads x y
    dx      compute_at output:xi | unroll x
  )")});
  testing::expectGolden("tst_cpp_text/harris", text.value());
}

TEST(CppText, MadeFuncsGetTheirHandlesWhereTheyAreMade) {
  testing::expectGolden("tst_cpp_text/made_funcs", textOf(R"(
    hist.1      split ~r$y ~ro ~ri 32 auto
    hist.1      rfactor ~ro u ~r$x v -> hist_intm
    hist_intm   compute_root | gpu_blocks u
    hist_intm.1 reorder ~ri u | gpu_threads u
    hist.1      atomic 1
    input_im    in hist_intm -> input_staged
    input_im    in -> input$0
    input$0     compute_at hist.1:~ro
    lut         clone_in a b -> lut_copy
    lut_copy    compute_with b:x | store_at b.2:x
  )"));
}

TEST(CppText, EveryNameBecomesAnIdentifier) {
  const std::string text = textOf(R"(
    f1$0     split r$x ~r$x int 4 auto
    f1_0     compute_root
    find     compute_at f1$0:class
    _lead    compute_root
    a__b     compute_root
    9x       compute_root
    x"\y     compute_at f1$0:__outermost
  )");
  EXPECT_THAT(text, HasSubstr("Func f1_0 = find(\"f1$0\");"));
  EXPECT_THAT(text, HasSubstr("Func f1_0_2 = find(\"f1_0\");"));
  EXPECT_THAT(text, HasSubstr("Func find_ = find(\"find\");"));
  EXPECT_THAT(text, HasSubstr("Func lead = find(\"_lead\");"));
  EXPECT_THAT(text, HasSubstr("Func a_b = find(\"a__b\");"));
  EXPECT_THAT(text, HasSubstr("Func f9x = find(\"9x\");"));
  EXPECT_THAT(text, HasSubstr("Func x_y = find(\"x\\\"\\\\y\");"));
  EXPECT_THAT(text, HasSubstr("Var r_x(\"r$x\"), int_(\"int\"), class_(\"class\"), outermost("));
  EXPECT_THAT(text, HasSubstr("RVar r_x_2(\"r$x\");"));
}

TEST(CppText, ANameOfAnyBytesIsALiteral) {
  const auto text = cppText({{},
                             std::vector<Directive>{{"a\n\x01"
                                                     "1\xc3",
                                                     0,
                                                     Verb::ComputeRoot,
                                                     {},
                                                     {}}}});
  EXPECT_THAT(text.value(), HasSubstr("find(\"a\\012\\0011\\303\")"));
}

// Halide refuses a compute or store level that names a stage, so the text names the stage in a
// comment.
TEST(CppText, PlacesInUpdatesNameTheirStageInAComment) {
  const std::string text = textOf("g compute_at f.2:x | store_at f:y\nh.1 compute_with g.1:x\n"
                                  "h store_at g.1:x");
  EXPECT_THAT(text, HasSubstr("    g\n        .compute_at(f, x)  // of update(1)\n"
                              "        .store_at(f, y);\n"));
  EXPECT_THAT(text, HasSubstr("h.update().compute_with(g.update(), x);"));
  EXPECT_THAT(text, HasSubstr("h.store_at(g, x);  // of update()\n"));
}

TEST(CppText, TheCommentCannotBeLeft) {
  TextHeader header{.pipeline = "*/ int main"};
  header.notes = {"first\nsecond \\"};
  const std::string text = cppText({header, {}}).value();
  EXPECT_THAT(text, HasSubstr("// note: first\\x0asecond \\x5c\n"));
  EXPECT_THAT(text, HasSubstr("apply_schedule_int_main("));
}

TEST(CppText, AnEmptyScheduleFetchesNothing) { EXPECT_THAT(textOf(""), Not(HasSubstr("find"))); }

struct Unsayable {
  const char *what;
  Directive directive;
  const char *problem;
};

class CppTextRefuses : public ::testing::TestWithParam<Unsayable> {};

TEST_P(CppTextRefuses, WhatNoTextCanSay) {
  auto directives = sketch("f in g -> f_in_g");
  directives.push_back(GetParam().directive);
  const auto text = cppText({{}, directives});
  ASSERT_FALSE(text.ok());
  EXPECT_EQ(text.error().message, std::string("directive 2: ") + GetParam().problem);
}

const LoopName kX{"x", false}, kR{"r", true};

INSTANTIATE_TEST_SUITE_P(
    , CppTextRefuses,
    ::testing::Values(
        Unsayable{"too many blocks",
                  {"f", 0, Verb::GpuBlocks, {kX, kX, kX, kX}, {}},
                  "gpu_blocks does not take 4 arguments"},
        Unsayable{"bound of a reduction",
                  {"f", 0, Verb::BoundExtent, {kR, 3}, {}},
                  "argument 1 of bound_extent must be a pure loop"},
        Unsayable{"pure loop factored out",
                  {"f", 1, Verb::RFactor, {kX, kX}, "g2"},
                  "argument 1 of rfactor must be a reduction loop"},
        Unsayable{
            "large number",
            {"f", 0, Verb::BoundExtent, {kX, std::int64_t{1} << 31}, {}},
            "argument 2 of bound_extent must be a number of 32 bits or an expression of sizes"},
        Unsayable{"no name",
                  {"f", 0, Verb::Unroll, {LoopName{}}, {}},
                  "argument 1 of unroll has no name"},
        Unsayable{"no func", {"", 0, Verb::ComputeRoot, {}, {}}, "compute_root has no func"},
        Unsayable{"made twice",
                  {"f", 0, Verb::In, {}, "f_in_g"},
                  "it makes 'f_in_g', but there is a func of that name already"},
        Unsayable{"made after use",
                  {"f", 0, Verb::In, {}, "g"},
                  "it makes 'g', but there is a func of that name already"}));

} // namespace
} // namespace tessera::schedule

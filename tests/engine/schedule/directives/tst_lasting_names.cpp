// SPDX-License-Identifier: MIT
// Names that are the same in every build of a pipeline, whatever Halide's numbers are.
#include "engine/schedule/directives/lasting_names.h"

#include "engine/schedule/directives/lower.h"
#include "engine/schedule/directives/raise.h"
#include "engine/schedule/text/cpp_text.h"
#include "engine/schedule/text/schedule_text.h"
#include "tests/engine/pipeline/sketch.h"
#include "tests/engine/schedule/sketch.h"

#include <gmock/gmock.h>

namespace tessera::schedule {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

// The names as texts have them, in the order of `names`.
std::vector<std::string> lastingTexts(const std::vector<std::string> &names) {
  const auto lasting = lastingNames(names);
  std::vector<std::string> texts;
  for (const std::string &name : names)
    texts.push_back(textOf(lasting.at(name)));
  return texts;
}

TEST(LastingNames, ANumberGoesIfTheNameIsOfOneFunc) {
  EXPECT_THAT(lastingTexts({"output"}), ElementsAre("output"));
  EXPECT_THAT(lastingTexts({"output$1"}), ElementsAre("output"));
  EXPECT_THAT(lastingTexts({"f1$0"}), ElementsAre("f1")) << "named f1 by its author";
  EXPECT_THAT(lastingTexts({"level_1", "level_2", "a$b"}),
              ElementsAre("level_1", "level_2", "a$b"));
}

TEST(LastingNames, FuncsOfANameAreCountedInTheOrderOfTheirNumbers) {
  const std::vector<std::string> counted{"blur#1", "blur#2", "blur#3"};
  EXPECT_EQ(lastingTexts({"blur", "blur$1", "blur$2"}), counted);
  EXPECT_EQ(lastingTexts({"blur$9", "blur$10", "blur$100"}), counted);
  EXPECT_THAT(lastingTexts({"f9", "f10", "f"}), ElementsAre("f##1", "f##2", "f"));
  EXPECT_THAT(lastingTexts({"lambda_9", "lambda_10"}), ElementsAre("lambda#1", "lambda#2"));
}

TEST(LastingNames, NumbersWithinANameAreThoseOfOtherFuncs) {
  EXPECT_THAT(lastingTexts({"sum", "sum_intm", "sum_intm$1"}),
              ElementsAre("sum", "sum_intm#1", "sum_intm#2"));
  EXPECT_THAT(lastingTexts({"sum$3", "sum$3_intm", "sum_3_intm$1"}),
              ElementsAre("sum", "sum_intm#1", "sum_intm#2"))
      << "Halide writes _ for $ where it adds a number";
  EXPECT_THAT(lastingTexts({"sum", "sum$1", "sum_intm", "sum_intm$4", "sum$1_intm"}),
              ElementsAre("sum#1", "sum#2", "sum_intm#1", "sum_intm#2", "sum_intm#3"));
  EXPECT_THAT(lastingTexts({"f7", "blur$2", "blur$2_clone_in_f7"}),
              ElementsAre("f#", "blur", "blur_clone_in_f#"));
  EXPECT_THAT(lastingTexts({"sum_3_intm$1", "x_f7"}), ElementsAre("sum_3_intm", "x_f7"))
      << "there is no sum$3, and no f7";
}

// The same pipeline in two builds of a process.
pipeline::PipelinePtr firstBuild() {
  return pipeline::test::sketch(R"(
    input in 66 66
    func blur(x v3) 66 64 = in(x; v3+[0,2])
    func blur$1(x v3) 64 64 = blur(x+[0,2]; v3)
    func f2(x v3) 64 64 = blur$1(x; v3)
    output f2
  )");
}
pipeline::PipelinePtr secondBuild() {
  return pipeline::test::sketch(R"(
    input in 66 66
    func blur$2(x v40) 66 64 = in(x; v40+[0,2])
    func blur$3(x v40) 64 64 = blur$2(x+[0,2]; v40)
    func f5(x v40) 64 64 = blur$3(x; v40)
    output f5
  )");
}

TEST(LastingNames, ATextIsTheSameInEachBuildAndReadInAnother) {
  const auto first = raise(firstBuild(), sketch(R"(
    f2      split x xo xi 32 auto | gpu_blocks xo v3 | gpu_threads xi
    blur$1  compute_root | gpu_blocks v3 | gpu_threads x
    blur    compute_at blur$1:v3 | gpu_threads x)"));
  ASSERT_TRUE(first) << first.error().message;
  const std::string text = cppText(writtenForm(*first)).value();
  EXPECT_THAT(text, HasSubstr("Func f_ = find(\"f#\");"));
  EXPECT_THAT(text, HasSubstr("Func blur_1 = find(\"blur\", 1, 2, 2, 0);"));
  EXPECT_THAT(text, HasSubstr("Func blur_2 = find(\"blur\", 2, 2, 2, 0);"));
  EXPECT_THAT(text, HasSubstr("Var v0 = f_.args()[1];"));
  const auto second = scheduleFromCpp(secondBuild(), text);
  ASSERT_TRUE(second) << second.error().message << "\n" << text;
  EXPECT_EQ(cppText(writtenForm(*second)).value(), text);
  const auto back = scheduleFromCpp(first->base(), text);
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(*back, *first);
}

TEST(LastingNames, ALoopThatItsAuthorNumberedKeepsItsName) {
  const auto pipeline = pipeline::test::sketch("input in 64\nfunc f(x1) 64 = in(x1)\noutput f");
  const auto lasting = withLastingNames(sketch("f unroll x1"), *pipeline);
  EXPECT_EQ(lasting, (LastingDirectives{sketch("f unroll x1"), {}}));
}

TEST(LastingNames, AnotherNumberOfFuncsOfANameIsRefused) {
  const auto lasting = withLastingNames(sketch("blur$1 compute_root"), *firstBuild());
  EXPECT_THAT(lasting.names.funcs,
              ElementsAre(Pair("blur#2", LastingName{"blur", 2, 2, FuncShape{2, 0}})));
  const auto one = pipeline::test::sketch("input in 64\nfunc blur(x) 64 = in(x)\noutput blur");
  const auto refused = withNamesOf(*one, lasting);
  ASSERT_FALSE(refused);
  EXPECT_EQ(
      refused.error().message,
      "the schedule is for 2 funcs called 'blur', and the pipeline has one func called 'blur'");
  EXPECT_THAT(refused.error().hint, HasSubstr("another version of the pipeline"));
}

// A generator may make them in another order for another target.
TEST(LastingNames, FuncsOfANameInAnotherOrderAreToldApartByTheirShape) {
  const auto made = pipeline::test::sketch(R"(
    input in 64
    func part(x) 64 = in(x)
    func part$1(x y) 64 8 = part(x)
    func out(x y) 64 8 = part$1(x; y)
    output out
  )");
  const auto turned = pipeline::test::sketch(R"(
    input in 64 8
    func part(x y) 64 8 = in(x; y)
    func part$1(x) 64 = part(x; 0)
    func out(x y) 64 8 = part$1(x)
    output out
  )");
  const auto lasting = withLastingNames(sketch("part$1 compute_root"), *made);
  EXPECT_TRUE(withNamesOf(*made, lasting));
  const auto refused = withNamesOf(*turned, lasting);
  ASSERT_FALSE(refused);
  EXPECT_EQ(
      refused.error().message,
      "the schedule is for a func called 'part' with 2 dimensions and 0 updates, and number 2 "
      "of that name has 1 dimension and 0 updates");
}

// Compilers differ in which of two arguments of a call they make first.
TEST(LastingNames, FuncsOfANameInAnotherOrderAreToldApartByWhatTheyNeed) {
  const auto built = [](const std::string &first, const std::string &second) {
    return pipeline::test::sketch("input in 64\nfunc r(x) 64 = in(x)\nfunc b(x) 64 = in(x)\n"
                                  "func f1(x) 64 = " +
                                  first +
                                  "(x)\n"
                                  "func f2(x) 64 = " +
                                  second +
                                  "(x)\n"
                                  "func f3(x) 64 = f2(x)\n"
                                  "func out(x) 64 = f1(x) f3(x)\noutput out");
  };
  const auto made = raise(built("r", "b"), sketch("f1 compute_root\nf3 compute_root"));
  ASSERT_TRUE(made) << made.error().message;
  const std::string text = cppText(writtenForm(*made)).value();
  EXPECT_THAT(text, HasSubstr("find(\"f#\", 1, 3, 1, 0, \"r\");"));
  EXPECT_THAT(text, HasSubstr("find(\"f#\", 3, 3, 1, 0, \"b\");"));
  const auto back = scheduleFromCpp(made->base(), text);
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(*back, *made);
  const auto refused = scheduleFromCpp(built("b", "r"), text);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message,
              HasSubstr("the schedule is for a func called 'f#' that needs 'b', and number 3 of "
                        "that name does not"));
  const auto alike = raise(built("r", "r"), sketch("f1 compute_root"));
  ASSERT_TRUE(alike) << alike.error().message;
  EXPECT_THAT(cppText(writtenForm(*alike)).value(), HasSubstr("find(\"f#\", 1, 3, 1, 0);"));
}

TEST(LastingNames, ANameOfOneFuncDoesNotMeanOneOfTwo) {
  const auto exact = withNamesOf(*firstBuild(), {sketch("blur compute_root"), {}});
  ASSERT_TRUE(exact) << "written by hand, with the very name";
  EXPECT_EQ(*exact, sketch("blur compute_root"));
  const auto refused = withNamesOf(*secondBuild(), {sketch("blur compute_root"), {}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(
      refused.error().message,
      "the schedule is for one func called 'blur', and the pipeline has 2 funcs called 'blur'");
}

TEST(LastingNames, OfOutputsInPromises) {
  EXPECT_EQ(lastingBuffer("output$1"), "output");
  EXPECT_EQ(lastingBuffer("output$1.0"), "output.0");
  EXPECT_EQ(lastingBuffer("input"), "input");
  const auto pipeline =
      pipeline::test::sketch("input in 64\nfunc out$7(x) 64 = in(x)\noutput out$7");
  EXPECT_EQ(bufferNamed(*pipeline, "out"), "out$7");
  EXPECT_EQ(bufferNamed(*pipeline, "out.1"), "out$7.1");
  EXPECT_EQ(bufferNamed(*pipeline, "in"), "in");
}

} // namespace
} // namespace tessera::schedule

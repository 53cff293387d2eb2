// SPDX-License-Identifier: MIT
// Directives reach Halide as they are written. One that cannot be applied is reported by its
// number.
#include "engine/halide/compile/apply.h"
#include "engine/halide/capture.h"
#include "engine/halide/import/found_schedule.h"
#include "engine/schedule/words/directive_json.h"
#include "tests/engine/halide/captured.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tessera::halide::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;

// The pipeline is a histogram of sums of an input: sum(x), counts(b) with an update over r, and
// out(b).
class Apply : public ::testing::Test {
protected:
  static void SetUpTestSuite() {
    Halide::Var x("x"), b("b");
    Halide::ImageParam input(Halide::UInt(8), 1, "apply_input");
    Halide::Func sum("apply_sum"), counts("apply_counts"), out("apply_out");
    const Halide::RDom r(0, 64, "r");
    sum(x) = input(x) / 2 + input(x + 1) / 2;
    counts(b) = 0;
    counts(Halide::clamp(sum(r), 0, 255)) += 1;
    out(b) = counts(b) + counts(255 - b);
    out.set_estimate(b, 0, 256);
    input.set_estimates({{0, 65}});
    s_folder = std::make_unique<TemporaryFolder>();
    s_path = s_folder->file("apply.hlpipe");
    const Status captured = capturePipeline(Halide::Pipeline(out), s_path);
    ASSERT_TRUE(captured) << captured.error().message;
  }
  static void TearDownTestSuite() { s_folder.reset(); }

  void SetUp() override {
    auto loaded = loadPipeline(s_path, "");
    ASSERT_TRUE(loaded) << loaded.error().message;
    m_loaded = std::move(*loaded);
  }

  Result<Applied> apply(const std::string &text) {
    const auto directives = schedule::directivesFromJson(nlohmann::json::parse(text));
    if (!directives) return directives.error();
    return applyDirectives(m_loaded.pipeline, *directives);
  }

  std::string refusal(const std::string &text) {
    const auto applied = apply(text);
    EXPECT_FALSE(applied) << text;
    return applied ? "" : applied.error().message + " " + applied.error().hint;
  }

  // Returns the loops of the func's stage after the directives.
  std::vector<std::string> directives(const std::string &func, int stage = 0) {
    std::vector<Halide::Internal::Function> outputs;
    for (const Halide::Func &output : m_loaded.pipeline.outputs())
      outputs.push_back(output.function());
    auto functions = Halide::Internal::build_environment(outputs);
    for (auto &[name, function] : functions) {
      function.lock_loop_levels();
      for (const auto &[consumer, wrapper] : function.wrappers())
        Halide::Internal::Function(wrapper).lock_loop_levels();
    }
    return foundDirectives(functions.at(func), stage);
  }

  LoadedPipeline m_loaded;

private:
  inline static std::unique_ptr<TemporaryFolder> s_folder;
  inline static std::string s_path;
};

TEST_F(Apply, LoopsOfAPureDefinition) {
  const auto applied = apply(R"([
    {"func":"apply_out","call":"split","arguments":[{"loop":"b"},{"loop":"bo"},{"loop":"bi"},32,{"tail":"guard_with_if"}]},
    {"func":"apply_out","call":"gpu_blocks","arguments":[{"loop":"bo"}]},
    {"func":"apply_out","call":"gpu_threads","arguments":[{"loop":"bi"}]},
    {"func":"apply_counts","call":"compute_root"}])");
  ASSERT_TRUE(applied) << applied.error().message;
  EXPECT_THAT(directives("apply_out"),
              IsSupersetOf({"split(b, bo, bi, 32, TailStrategy::GuardWithIf)", "gpu_blocks(bo)",
                            "gpu_threads(bi)"}));
  EXPECT_THAT(directives("apply_counts"), ElementsAre("compute_root()"));
}

// To Halide, a compute_at level that names a stage is not legal, because the loop may be of any
// stage. Only compute_with needs the stage.
TEST_F(Apply, LevelsNameALoopOfAnyStage) {
  const auto applied = apply(R"([
    {"func":"apply_counts","call":"compute_root"},
    {"func":"apply_counts","stage":1,"call":"split","arguments":[{"loop":"r$x","reduction":true},
      {"loop":"ro","reduction":true},{"loop":"ri","reduction":true},8,{"tail":"auto"}]},
    {"func":"apply_sum","call":"compute_at","arguments":[{"func":"apply_counts","stage":1,"loop":"ro","reduction":true}]},
    {"func":"apply_sum","call":"store_root"},
    {"func":"apply_sum","call":"store_in","arguments":[{"storage":"registers"}]}])");
  ASSERT_TRUE(applied) << applied.error().message;
  EXPECT_THAT(directives("apply_sum"), ElementsAre("compute_at(apply_counts, ro)", "store_root()",
                                                   "store_in(MemoryType::Register)"));
  EXPECT_THAT(directives("apply_counts", 1), ElementsAre(HasSubstr("split(r$x, ro, ri, 8")));
}

TEST_F(Apply, FuncsThatAreMadeHaveTheNamesOfTheDirectives) {
  const auto applied = apply(R"([
    {"func":"apply_counts","call":"compute_root"},
    {"func":"apply_counts","stage":1,"call":"split","arguments":[{"loop":"r$x","reduction":true},
      {"loop":"ro","reduction":true},{"loop":"ri","reduction":true},8,{"tail":"auto"}]},
    {"func":"apply_counts","stage":1,"call":"rfactor","arguments":[{"loop":"ro","reduction":true},{"loop":"u"}],"makes":"partial"},
    {"func":"partial","call":"compute_root"},
    {"func":"partial","stage":1,"call":"parallel","arguments":[{"loop":"u"}]},
    {"func":"partial","call":"in","arguments":[{"func":"apply_counts"}],"makes":"copy"},
    {"func":"copy","call":"compute_root"},
    {"func":"apply_input_im","call":"in","arguments":[],"makes":"staged"},
    {"func":"staged","call":"compute_at","arguments":[{"func":"partial","stage":1,"loop":"u"}]}])");
  ASSERT_TRUE(applied) << applied.error().message;
  ASSERT_EQ(applied->made.size(), 3U);
  std::string partial;
  for (const auto &[halide, made] : applied->made)
    if (made == "partial") partial = halide;
  EXPECT_THAT(directives(partial, 1), ::testing::Contains("parallel(u)"));
  EXPECT_THAT(directives(partial), ::testing::Contains("in(apply_counts).compute_root()"));
  EXPECT_THAT(directives("apply_input_im"),
              ::testing::Contains("in().compute_at(" + partial + ", u)"));
}

TEST_F(Apply, ExpressionsOfSizesReachHalide) {
  const auto applied = apply(R"([
    {"func":"apply_sum","call":"compute_root"},
    {"func":"apply_sum","call":"bound","arguments":[{"loop":"x"},0,{"size":"apply_input.extent.0 - 1"}]},
    {"func":"apply_out","call":"split","arguments":[{"loop":"b"},{"loop":"bo"},{"loop":"bi"},32,{"tail":"auto"}]},
    {"func":"apply_out","call":"specialize","arguments":[{"size":"apply_out.extent.0%32 == 0 && apply_out.min.0 <= 8"}]}])");
  ASSERT_TRUE(applied) << applied.error().message;
  // As Halide simplifies them.
  EXPECT_THAT(directives("apply_sum"),
              ElementsAre("compute_root()", "bound(x, 0, apply_input.extent.0 + (-1))"));
  EXPECT_THAT(directives("apply_out"),
              ElementsAre("split(b, bo, bi, 32, TailStrategy::ShiftInwards)",
                          "specialize(apply_out.min.0 <= 8 && apply_out.extent.0%32 == 0)"));
  EXPECT_THAT(refusal(R"([{"func":"apply_sum","call":"bound_extent",
                           "arguments":[{"loop":"x"},{"size":"nobody.extent.0"}]}])"),
              HasSubstr("directive 1, apply_sum.bound_extent: 'nobody.extent.0' is no size of"));
}

TEST_F(Apply, VariantsGetTheirOwnCalls) {
  const auto applied = apply(R"([
    {"func":"apply_out","call":"specialize","arguments":[{"size":"apply_out.extent.0%32 == 0"}]},
    {"func":"apply_out","variant":[0],"call":"specialize","arguments":[{"size":"apply_out.min.0 == 0"}]},
    {"func":"apply_out","variant":[0,0],"call":"never_partition","arguments":[{"loop":"b"}]},
    {"func":"apply_out","variant":[0],"call":"parallel","arguments":[{"loop":"b"}]},
    {"func":"apply_out","call":"specialize_fail","arguments":[{"text":"not a \"multiple\""}]},
    {"func":"apply_sum","call":"compute_root"},
    {"func":"apply_sum","call":"async"}])");
  ASSERT_TRUE(applied) << applied.error().message;
  EXPECT_THAT(directives("apply_out"),
              ElementsAre("specialize(apply_out.extent.0%32 == 0)",
                          "variant 1: specialize(apply_out.min.0 == 0)",
                          "variant 1.1: never_partition_all()", "variant 1: parallel(b)",
                          "specialize_fail(\"not a \"multiple\"\")"));
  EXPECT_THAT(directives("apply_sum"), ElementsAre("compute_root()", "async()"));
  EXPECT_THAT(refusal(R"([{"func":"apply_sum","variant":[0],"call":"unroll",
                           "arguments":[{"loop":"x"}]}])"),
              HasSubstr("apply_sum.unroll: apply_sum has no variant 0 before this call"));
}

TEST_F(Apply, SaysWhichFuncIsUnknown) {
  EXPECT_THAT(
      refusal(
          R"([{"func":"apply_out","call":"compute_root"},{"func":"nobody","call":"compute_root"}])"),
      HasSubstr("directive 2, nobody.compute_root: the pipeline has no func \"nobody\" It "
                "has: apply_counts, apply_input_im, apply_out, apply_sum."));
}

TEST_F(Apply, SaysThatAnInputIsNoFunc) {
  EXPECT_THAT(refusal(R"([{"func":"apply_input","call":"compute_root"}])"),
              HasSubstr("directive 1, apply_input.compute_root: \"apply_input\" is an input, and "
                        "inputs have no schedule Use its staging handle \"apply_input_im\"."));
}

TEST_F(Apply, SaysWhichUpdateIsMissing) {
  EXPECT_THAT(
      refusal(R"([{"func":"apply_sum","stage":1,"call":"unroll","arguments":[{"loop":"x"}]}])"),
      HasSubstr("\"apply_sum\" has no update(0) It has only its pure definition."));
  EXPECT_THAT(
      refusal(R"([{"func":"apply_counts","stage":3,"call":"unroll","arguments":[{"loop":"b"}]}])"),
      HasSubstr("apply_counts.update(2).unroll: \"apply_counts\" has no update(2) Its last "
                "is update(0)."));
}

TEST_F(Apply, SaysWhichLoopIsMissing) {
  EXPECT_THAT(refusal(R"([{"func":"apply_sum","call":"unroll","arguments":[{"loop":"q"}]}])"),
              HasSubstr("apply_sum has no loop \"q\" It has: x."));
  EXPECT_THAT(
      refusal(
          R"([{"func":"apply_counts","stage":1,"call":"reorder","arguments":[{"loop":"r$x","reduction":true},{"loop":"b"}]}])"),
      HasSubstr("apply_counts.update(0) has no loop \"b\" It has: r$x."));
}

TEST_F(Apply, SaysThatALoopIsOfAnotherKind) {
  EXPECT_THAT(
      refusal(
          R"([{"func":"apply_counts","stage":1,"call":"unroll","arguments":[{"loop":"r$x"}]}])"),
      HasSubstr("loop \"r$x\" of apply_counts.update(0) is a reduction loop, but the directive "
                "says pure"));
}

TEST_F(Apply, SaysThatALevelIsNone) {
  EXPECT_THAT(
      refusal(
          R"([{"func":"apply_sum","call":"compute_at","arguments":[{"func":"apply_out","loop":"bo"}]}])"),
      HasSubstr("directive 1, apply_sum.compute_at: apply_out has no loop \"bo\" after all "
                "directives It has: b."));
  EXPECT_THAT(
      refusal(
          R"([{"func":"apply_sum","call":"compute_at","arguments":[{"func":"gone","loop":"bo"}]}])"),
      HasSubstr("no func \"gone\""));
  EXPECT_THAT(
      refusal(
          R"([{"func":"apply_sum","call":"compute_at","arguments":[{"func":"apply_out","stage":2,"loop":"b"}]}])"),
      HasSubstr("\"apply_out\" has no update(1)"));
}

TEST_F(Apply, SaysThatAFuncIsMadeLater) {
  EXPECT_THAT(
      refusal(
          R"([{"func":"w","call":"compute_root"},{"func":"apply_sum","call":"in","makes":"w"}])"),
      HasSubstr("directive 1, w.compute_root: func \"w\" is made by a later directive"));
}

TEST_F(Apply, SaysThatANameIsTaken) {
  EXPECT_THAT(refusal(R"([{"func":"apply_sum","call":"in","makes":"apply_out"}])"),
              HasSubstr("there is a func \"apply_out\" already"));
  EXPECT_THAT(
      refusal(
          R"([{"func":"apply_out","call":"split","arguments":[{"loop":"b"},{"loop":"b"},{"loop":"b"},4,{"tail":"auto"}]}])"),
      HasSubstr("directive 1, apply_out.split: Halide says: "));
}

TEST_F(Apply, SaysThatANumberCannotBe) {
  EXPECT_THAT(
      refusal(
          R"([{"func":"apply_out","call":"split","arguments":[{"loop":"b"},{"loop":"o"},{"loop":"i"},0,{"tail":"auto"}]}])"),
      HasSubstr("a loop cannot be split by 0"));
  EXPECT_THAT(
      refusal(R"([{"func":"apply_out","call":"bound","arguments":[{"loop":"b"},0,4294967296]}])"),
      HasSubstr("argument 3 of bound must be a number of 32 bits"));
}

TEST_F(Apply, SaysThatADimensionIsNone) {
  EXPECT_THAT(
      refusal(R"([{"func":"apply_out","call":"align_storage","arguments":[{"loop":"z"},32]}])"),
      HasSubstr("\"z\" is not a dimension of \"apply_out\" Its dimensions are: b."));
}

TEST_F(Apply, SaysThatAWrapperIsThereAlready) {
  EXPECT_THAT(
      refusal(R"([{"func":"apply_sum","call":"in","arguments":[{"func":"apply_out"}],"makes":"w"},
                          {"func":"apply_sum","call":"clone_in","arguments":[{"func":"apply_out"}],"makes":"c"}])"),
      HasSubstr("directive 2, apply_sum.clone_in: this repeats the call that made \"w\""));
}

TEST_F(Apply, PassesOnWhatHalideRefuses) {
  // Halide reports a race: the update scatters, so its iterations must not run in parallel.
  EXPECT_THAT(
      refusal(
          R"([{"func":"apply_counts","stage":1,"call":"parallel","arguments":[{"loop":"r$x","reduction":true}]}])"),
      ::testing::AllOf(HasSubstr("directive 1, apply_counts.update(0).parallel: Halide says"),
                       HasSubstr("race condition")));
  EXPECT_THAT(refusal(R"([{"func":"apply_counts","stage":1,"call":"split","arguments":[
      {"loop":"r$x","reduction":true},{"loop":"o","reduction":true},{"loop":"i","reduction":true},8,{"tail":"shift_inwards"}]}])"),
              HasSubstr("Halide says"));
  EXPECT_THAT(
      refusal(
          R"([{"func":"apply_sum","call":"compute_with","arguments":[{"func":"apply_sum","loop":"x"}]}])"),
      HasSubstr("directive 1, apply_sum.compute_with: Halide says"));
}

TEST_F(Apply, RefusesWhatIsNoCall) {
  EXPECT_THAT(refusal(R"([{"func":"apply_out","call":"vanish"}])"),
              HasSubstr("'vanish' is not a known call"));
}

} // namespace
} // namespace tessera::halide::testing

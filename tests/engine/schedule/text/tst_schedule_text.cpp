// SPDX-License-Identifier: MIT
// A schedule with its promises (as sentences) and register cap is written as text and read back.
#include "engine/schedule/text/cpp_text.h"
#include "engine/schedule/text/schedule_text.h"
#include "engine/base/escape.h"
#include "engine/report/promise.h"
#include "engine/schedule/directives/lower.h"
#include "engine/schedule/directives/raise.h"

#include "tests/engine/pipeline/sketch.h"
#include "tests/engine/schedule/sketch.h"

#include <gmock/gmock.h>

#include <limits>
#include <random>

namespace tessera::schedule {
namespace {

using ::testing::HasSubstr;

TEST(PromiseText, IsInHalidesWords) {
  EXPECT_EQ(textOf(report::Promise{"input", 0, {}, {}, 1, 0}), "input.dim(0).stride == 1");
  EXPECT_EQ(textOf(report::Promise{"input", 2, -3, 512, 2560, 16}),
            "input.dim(2).min == -3 && input.dim(2).extent == 512 && input.dim(2).stride == 2560 "
            "&& input.host_alignment == 16");
  EXPECT_EQ(textOf(report::Promise{"a", 0, {}, {}, {}, 128}), "a.host_alignment == 128");
  EXPECT_EQ(textOf(report::Promise{"a", 0, {}, {}, {}, 0}), "") << "says nothing";
}

TEST(PromiseText, IsReadBackAsItWas) {
  constexpr std::int64_t kLow = std::numeric_limits<std::int32_t>::min();
  constexpr std::int64_t kHigh = std::numeric_limits<std::int32_t>::max();
  const std::vector<std::string> names{
      "input", "f1$0",  "a.dim(3).min",    "x && y == 1", "back\\slash",
      "\n",    "größe", ".host_alignment", "a.stride",    "\\x2e",
      " "};
  std::mt19937_64 random(7);
  const auto maybe = [&random](std::int64_t low, std::int64_t high) {
    std::optional<std::int64_t> number;
    if (random() % 2) number = std::uniform_int_distribution<std::int64_t>(low, high)(random);
    return number;
  };
  for (int i = 0; i < 2000; ++i) {
    report::Promise promise{
        names[random() % names.size()], 0, maybe(kLow, kHigh), maybe(1, kHigh), maybe(kLow, kHigh),
        maybe(1, 4096).value_or(0)};
    const bool ofDim = promise.min || promise.extent || promise.stride;
    if (ofDim) promise.dim = static_cast<std::uint16_t>(random() % 16);
    const std::string text = textOf(promise);
    if (text.empty()) continue;
    const auto back = report::promiseFromText(text);
    ASSERT_TRUE(back) << text << ": " << back.error().message;
    EXPECT_EQ(*back, promise) << text;
  }
}

class PromiseTextRefuses : public ::testing::TestWithParam<const char *> {};

TEST_P(PromiseTextRefuses, WhatSaysNoPromise) {
  const auto promise = report::promiseFromText(GetParam());
  ASSERT_FALSE(promise);
  EXPECT_EQ(promise.error().code, ErrorCode::InputRefused);
  EXPECT_THAT(promise.error().message, HasSubstr("where a promise was expected"));
  EXPECT_THAT(promise.error().hint, HasSubstr("input.dim(0).stride == 1"));
}

INSTANTIATE_TEST_SUITE_P(
    Texts, PromiseTextRefuses,
    ::testing::Values("", "input", "input.dim(0).stride", "input.dim(0).stride = 1",
                      "input.dim(0).stride == one", "input.dim(0).stride == 1.5",
                      "input.dim(0).stride == 99999999999", "input.dim(16).stride == 1",
                      "input.dim(-1).min == 0", "input.dim().min == 0", "input.dim(0).max == 1",
                      "input.dim(0).extent == 0", ".dim(0).min == 0", "input.host_alignment == 0",
                      "input.host_alignment == 8192", "input.stride(1) is a multiple of 4",
                      "a.dim(0).min == 0 && b.dim(0).min == 0",
                      "a.dim(0).min == 0 && a.dim(1).min == 0",
                      "a.dim(0).min == 0 && a.dim(0).min == 0", "a.dim(0).min == 0 && ",
                      "a.host_alignment == 4 && a.host_alignment == 4"));

// Two stencils. The second reads the first.
pipeline::PipelinePtr twoBlurs() {
  return pipeline::test::sketch(R"(
    input in 66 66
    func h(x y) 64 66 = in(x+[0,2]; y)
    func v(x y) 64 64 = h(x; y+[0,2])
    output v
  )");
}

Schedule tiled(const pipeline::PipelinePtr &pipeline) {
  const auto schedule =
      raise(pipeline, sketch("v  split x xo xi 32 auto | split y yo yi 8 auto"
                             " | reorder xi yi xo yo | gpu_blocks xo yo | gpu_threads xi yi\n"
                             "h  compute_at v:xo | gpu_threads x y"));
  return schedule.value();
}

TEST(ScheduleText, IsReadBackWithCapAndPromises) {
  const auto pipeline = twoBlurs();
  Schedule schedule = tiled(pipeline);
  Settings settings;
  settings.registerCap = 128;
  settings.promises = {{"in", 0, {}, {}, 1, 0}, {"v", 1, 0, 64, {}, 16}};
  schedule.set(settings);
  const TextHeader header = headerOf(schedule);
  EXPECT_EQ(header.pipeline, pipeline->name());
  EXPECT_THAT(header.promises, ::testing::ElementsAre("in.dim(0).stride == 1",
                                                      "v.dim(1).min == 0 && v.dim(1).extent == 64 "
                                                      "&& v.host_alignment == 16"));
  const auto text = cppText({header, lower(schedule)});
  ASSERT_TRUE(text) << text.error().message;
  const auto back = scheduleFromCpp(pipeline, *text);
  ASSERT_TRUE(back) << back.error().message << "\n" << *text;
  EXPECT_EQ(*back, schedule);
  EXPECT_EQ(back->settings(), settings);
}

TEST(ScheduleText, WithoutAHeaderTheCapIsHalides) {
  const auto pipeline = twoBlurs();
  std::string text = *cppText({{}, lower(tiled(pipeline))});
  const auto back = scheduleFromCpp(pipeline, text);
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->settings(), Settings{});
}

TEST(ScheduleText, SaysWhatItWasMadeFor) {
  const auto pipeline = twoBlurs();
  TextHeader header;
  header.pipeline = "harris";
  const auto wrong = scheduleFromCpp(pipeline, *cppText({header, sketch("dx compute_root")}));
  ASSERT_FALSE(wrong);
  EXPECT_THAT(wrong.error().message, HasSubstr("'dx'"));
  EXPECT_THAT(wrong.error().hint, HasSubstr("made for 'harris'"));
}

TEST(ScheduleText, APromiseThatCannotBeReadIsAnError) {
  TextHeader header;
  header.promises = {"the input is pretty"};
  const auto wrong = scheduleFromCpp(twoBlurs(), *cppText({header, sketch("h compute_root")}));
  ASSERT_FALSE(wrong);
  EXPECT_THAT(wrong.error().message, HasSubstr("the input is pretty"));
}

TEST(ScheduleText, MessagesCanBeShownWhateverTheTextHolds) {
  EXPECT_EQ(printable("größe × 2"), "größe × 2");
  EXPECT_EQ(printable("a\n\x1b[2J\x7f"), "a??[2J?");
  EXPECT_EQ(printable("\xff|\xc3|\xe2\x82|\xc0\xaf|\xed\xa0\x80|\xc2\x9b"), "?|?|??|??|???|??")
      << "not UTF-8, overlong, a surrogate, a control character";
  TextHeader header;
  header.promises = {"in\x1b.dim(0).min == \xff"};
  const auto promise = scheduleFromCpp(twoBlurs(), *cppText({header, sketch("h compute_root")}));
  ASSERT_FALSE(promise);
  EXPECT_THAT(promise.error().message, HasSubstr("in?.dim(0).min == ?"));
  const auto loop = scheduleFromCpp(twoBlurs(), *cppText({{}, sketch("h unroll \xff")}));
  ASSERT_FALSE(loop);
  EXPECT_THAT(loop.error().message, HasSubstr("'?'"));
}

} // namespace
} // namespace tessera::schedule

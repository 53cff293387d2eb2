// SPDX-License-Identifier: MIT
#include "engine/schedule/directives/found_names.h"

#include "tests/engine/pipeline/sketch.h"

#include <gtest/gtest.h>

#include <string>

namespace tessera::schedule {
namespace {

pipeline::PipelinePtr summing(const std::string &outer, const std::string &inner) {
  return pipeline::test::sketch("input in 64 64\nfunc s(x) 64 = \nupdate s(x) " + outer + ":0:8 " +
                                inner + ":0:8 = s(x) in(" + outer + "; " + inner +
                                ")\nfunc g(x) 64 = s(x)\noutput g\n");
}

Directive split(const std::string &loop) {
  return {"s",
          1,
          Verb::Split,
          {LoopName{loop, true}, LoopName{"o", true}, LoopName{"i", true}, std::int64_t{4},
           Tail::GuardWithIf},
          {}};
}

Directive computeAt(const std::string &loop) {
  return {"k", 0, Verb::ComputeAt, {Level{"s", 1, LoopName{loop, true}}}, {}};
}

TEST(FoundNames, OfReductionsAreThoseOfTheAlgorithm) {
  const auto base = summing("p", "q"), scheduled = summing("u", "v");
  EXPECT_EQ(
      withNamesOf(*base, *scheduled, {split("u"), split("v"), computeAt("v"), computeAt("o")}),
      (std::vector{split("p"), split("q"), computeAt("q"), computeAt("o")}));
}

TEST(FoundNames, ThatAreTheSameOrOfOtherLoopsStay) {
  const auto base = summing("p", "q");
  const auto fewer =
      pipeline::test::sketch("input in 64 64\nfunc s(x) 64 = \nupdate s(x) u:0:8 = s(x) in(u; x)\n"
                             "func g(x) 64 = s(x)\noutput g\n");
  for (const auto &scheduled : {base, fewer})
    EXPECT_EQ(withNamesOf(*base, *scheduled, {split("u")}), std::vector{split("u")});
}

// A pure loop may have the name that a reduction has in the other program.
TEST(FoundNames, OnlyLoopsOfThatStageAreRenamed) {
  const auto base = summing("a", "b"), scheduled = summing("b", "a");
  Directive pure = split("b");
  pure.stage = 0;
  EXPECT_EQ(withNamesOf(*base, *scheduled, {pure, split("b"), split("a")}),
            (std::vector{pure, split("a"), split("b")}));
}

} // namespace
} // namespace tessera::schedule

// SPDX-License-Identifier: MIT
#include "engine/schedule/bounds/plain_reads.h"

#include "engine/schedule/rules/legality.h"
#include "tests/engine/schedule/scheduled.h"

#include <gmock/gmock.h>

#include <optional>
#include <string>
#include <vector>

namespace tessera::schedule {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using testing::funcOf;
using ::testing::IsEmpty;
using ::testing::Optional;
using testing::scheduled;
using testing::stageOf;

std::string sumReadAs(const std::string &read) {
  return "input in 64 64\n"
         "func f(x y) 64 64 = \n"
         "update f(x y) r:0:3:fixed = f(x; y) in(x; r)\n" +
         read;
}
const std::string kSwapped = sumReadAs("func g(u v) 64 64 = f(v; u)\noutput g\n");
const std::string kRenamed = sumReadAs("func g(u v) 64 64 = f(u; v)\noutput g\n");
const std::string kThrough = sumReadAs("func h(u v) 64 64 = f(v; u)\n"
                                       "func g(s t) 64 64 = h(t; s)\n"
                                       "output g\n");

TEST(PlainReads, SayWhichLoopAnIndexIs) {
  const Schedule schedule = scheduled(kSwapped, "");
  const auto reads = plainReads(schedule, funcOf(schedule, "f"));
  ASSERT_EQ(reads.size(), 1U);
  EXPECT_EQ(reads.front().reader, stageOf(schedule, "g"));
  EXPECT_THAT(reads.front().loops, ElementsAre(Optional(1U), Optional(0U)));
  EXPECT_THAT(plainReads(schedule, funcOf(schedule, "g")), IsEmpty());
}

TEST(PlainReads, GoThroughInlinedFuncs) {
  const Schedule schedule = scheduled(kThrough, "");
  const auto reads = plainReads(schedule, funcOf(schedule, "f"));
  ASSERT_EQ(reads.size(), 1U);
  EXPECT_EQ(reads.front().reader, stageOf(schedule, "g"));
  EXPECT_THAT(reads.front().loops, ElementsAre(Optional(0U), Optional(1U)));
}

TEST(PlainReads, AreNoneOfOtherIndices) {
  for (const char *index : {"2*u", "u+v", "u+1", "u+[0,1]", "u/2", "3", "clamp(u,1,62)"}) {
    const Schedule schedule = scheduled(
        sumReadAs("func g(u v) 64 64 = f(" + std::string(index) + "; v)\noutput g\n"), "");
    const auto reads = plainReads(schedule, funcOf(schedule, "f"));
    ASSERT_EQ(reads.size(), 1U) << index;
    EXPECT_THAT(reads.front().loops, ElementsAre(std::nullopt, Optional(1U))) << index;
  }
}

// A block keeps f in registers. Each thread reads only the points that it computed itself, even if
// their loops have other names.
TEST(PlainReads, LetThreadsKeepWhatTheyReadThemselves) {
  const std::string tile = "split x xo xi 8 guard_with_if | split y yo yi 8 guard_with_if | "
                           "reorder xi yi xo yo | gpu_threads xi yi";
  const std::string kept = "f compute_at g:b | store_in registers | " + tile + "\nf.1 " + tile;
  const auto blocks = [](const std::string &first, const std::string &second) {
    return "g split " + first + " b c 8 shift_inwards | split " + second +
           " d e 8 shift_inwards | reorder c e b d | gpu_threads c e | gpu_blocks b d\n";
  };
  const auto refusals = [&](const std::string &pipeline, const std::string &output) {
    std::vector<Rule> rules;
    for (const Violation &violation : check(scheduled(pipeline, output + kept), {}))
      rules.push_back(violation.rule);
    return rules;
  };
  EXPECT_THAT(refusals(kRenamed, blocks("u", "v")), IsEmpty());
  EXPECT_THAT(refusals(kSwapped, blocks("u", "v")), Contains(Rule::StorageDepth));
  EXPECT_THAT(refusals(kSwapped, blocks("v", "u")), IsEmpty());
  EXPECT_THAT(refusals(kThrough, blocks("s", "t")), IsEmpty());
  EXPECT_THAT(refusals(kThrough, blocks("t", "s")), Contains(Rule::StorageDepth));
}

} // namespace
} // namespace tessera::schedule

// SPDX-License-Identifier: MIT
#include "engine/schedule/text/schedule_difference.h"

#include "tests/engine/schedule/scheduled.h"

#include <gmock/gmock.h>

namespace tessera::schedule {

void PrintTo(const CellDifference &difference, std::ostream *out) {
  *out << difference.stage << " " << name(difference.column) << " '" << difference.first << "' '"
       << difference.second << "'";
}

namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;
using ::testing::Not;

const char *const kTwoFuncs = "input in 66 66\n"
                              "func f(x y) 66 64 = in(x; y+[0,2])\n"
                              "func g(x y) 64 64 = f(x+[0,2]; y)\n"
                              "output g\n";

Schedule made(const std::string &text) { return testing::scheduled(kTwoFuncs, text); }

const char *const kApart = "f compute_root | gpu_blocks y | gpu_threads x\n"
                           "g gpu_blocks y | gpu_threads x";

TEST(ScheduleDifference, ThereIsNoneBetweenEqualSchedules) {
  EXPECT_THAT(differencesBetween(made(kApart), made(kApart)), IsEmpty());
}

TEST(ScheduleDifference, NamesTheCellAndBothValues) {
  EXPECT_THAT(differencesBetween(made("g gpu_blocks y | gpu_threads x"), made(kApart)),
              AllOf(Contains(CellDifference{"f", DecisionColumn::Compute, "inline", "own kernel"}),
                    Contains(CellDifference{"f", DecisionColumn::Loops, "", "block y · thread x"}),
                    Each(Field(&CellDifference::stage, "f"))));
}

TEST(ScheduleDifference, AStageThatOnlyTheSecondHasComesLast) {
  const auto found =
      differencesBetween(made("g gpu_blocks y | gpu_threads x"),
                         made("f in g -> copy\ncopy compute_root | gpu_blocks y | gpu_threads x\n"
                              "g gpu_blocks y | gpu_threads x"));
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.back().stage, "copy");
  EXPECT_THAT(found, Contains(CellDifference{"copy", DecisionColumn::Compute, "", "own kernel"}));
  EXPECT_THAT(found, Not(Contains(Field(&CellDifference::stage, "g"))));
}

TEST(ScheduleDifference, TellsOfTheSettings) {
  Schedule capped = made(kApart);
  capped.set(Settings{32, {}});
  EXPECT_THAT(differencesBetween(capped, made(kApart)),
              ElementsAre(CellDifference{"", DecisionColumn::Registers, "32", "64"}));
}

} // namespace
} // namespace tessera::schedule

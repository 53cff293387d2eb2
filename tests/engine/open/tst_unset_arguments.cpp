// SPDX-License-Identifier: MIT
#include "engine/open/unset_arguments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tessera::open {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::vector<UnsetArgument> kThree{{"a", false, true, false, false},
                                        {"b", false, true, true, true},
                                        {"out", true, true, false, false}};

TEST(UnsetArguments, AreReadFromWhatThePluginPrints) {
  const char *printed =
      "a generator may print, too\n"
      "tessera-arguments: {\"g\": [{\"name\": \"a\", \"output\": false, \"type\": true, \"dim\": "
      "false, \"size\": false}, {\"name\": \"b\", \"output\": false, \"type\": true, \"dim\": "
      "true, "
      "\"size\": true}, {\"name\": \"out\", \"output\": true, \"type\": true}], \"h\": []}\nand "
      "more";
  EXPECT_EQ(unsetArguments(printed, "g"), kThree);
  EXPECT_THAT(unsetArguments(printed, "h"), IsEmpty());
  EXPECT_THAT(unsetArguments(printed, "none"), IsEmpty());
}

TEST(UnsetArguments, DamagedWordsOfThePluginNameNone) {
  for (const char *printed :
       {"", "tessera-arguments: ", "tessera-arguments: [1]", "tessera-arguments: {\"g\": 3}",
        "tessera-arguments: {\"g\": [{}, 4]}", "tessera-arguments: {\"g\": [{\"name\": 7}]}"})
    EXPECT_THAT(unsetArguments(printed, "g"), IsEmpty()) << printed;
}

TEST(UnsetArguments, TheFirstValuesThatRunAreAskedFor) {
  int trials = 0;
  const auto asked = parametersFor(kThree, {}, [&](const Parameters &more) {
    ++trials;
    return more ==
           Parameters{{"a.type", "int32"}, {"b.type", "int32"}, {"b.dim", "3"}, {"b.size", "2"}};
  });
  EXPECT_GT(trials, 1);
  EXPECT_THAT(asked, ElementsAre(Asked{"param", "a.type=int32"}, Asked{"param", "b.type=int32"},
                                 Asked{"param", "b.dim=3"}, Asked{"param", "b.size=2"}));
}

TEST(UnsetArguments, AnOutputIsSetIfNothingRunsWithoutIt) {
  const auto asked = parametersFor(kThree, {{"b.type", "int8"}}, [&](const Parameters &more) {
    return !more.empty() && more.back() == std::pair<std::string, std::string>{"out.type", "int32"};
  });
  EXPECT_THAT(asked, ElementsAre(Asked{"param", "a.type=int32"}, Asked{"param", "b.dim=2"},
                                 Asked{"param", "b.size=2"}, Asked{"param", "out.type=int32"}));
  EXPECT_EQ(namesOf(kThree, asked),
            "the type of input 'a'; the dimensions and the size of input 'b'; the type of output "
            "'out'");
}

TEST(UnsetArguments, WhatIsGivenIsNotAskedFor) {
  const auto asked = parametersFor(kThree, {{"a.type", "int8"}, {"b.dim", "1"}},
                                   [](const Parameters &) { return true; });
  EXPECT_THAT(asked, ElementsAre(Asked{"param", "b.type=uint8"}, Asked{"param", "b.size=2"}));
  EXPECT_THAT(parametersFor({{"a", false, true, false, false}}, {{"a.type", "int8"}},
                            [](const Parameters &) { return true; }),
              IsEmpty());
}

TEST(UnsetArguments, UsualValuesAreAskedForIfNoneRuns) {
  int trials = 0;
  const auto asked = parametersFor({{"a", false, true, false, false}}, {}, [&](const Parameters &) {
    ++trials;
    return false;
  });
  EXPECT_THAT(asked, ElementsAre(Asked{"param", "a.type=uint8"}));
  EXPECT_EQ(trials, 6) << "one for each type: a number of dimensions changes nothing";
}

} // namespace
} // namespace tessera::open

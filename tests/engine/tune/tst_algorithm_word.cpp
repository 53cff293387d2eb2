// SPDX-License-Identifier: MIT
#include "engine/tune/algorithm_word.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tessera::tune {
namespace {

using testing::HasSubstr;

TEST(AlgorithmWord, IsAnAlgorithmWithOrWithoutParameters) {
  EXPECT_TRUE(namesAlgorithm("auto"));
  EXPECT_TRUE(namesAlgorithm("mullapudi:LOAD_COST=20"));
  EXPECT_FALSE(namesAlgorithm("li2018"));
  EXPECT_FALSE(namesAlgorithm("mullapudi2016:LOAD_COST=20"));
  EXPECT_FALSE(namesAlgorithm(""));
  EXPECT_EQ(algorithmWord("auto")->algorithm, "auto");
  EXPECT_TRUE(algorithmWord("auto")->parameters.empty());
}

TEST(AlgorithmWord, SetsParameters) {
  const auto word = algorithmWord("mullapudi:LOAD_COST=20;PARALLELISM_THRESHOLD=64");
  ASSERT_TRUE(word) << word.error().message;
  EXPECT_EQ(word->algorithm, "mullapudi");
  EXPECT_EQ(word->parameters.at("LOAD_COST"), 20);
  EXPECT_EQ(word->parameters.at("PARALLELISM_THRESHOLD"), 64);
}

TEST(AlgorithmWord, WhatTheAlgorithmDoesNotHaveIsRefused) {
  for (const auto &[word, words] : {std::pair{"mullapudi:", "'' in 'mullapudi:'"},
                                    {"mullapudi:LOAD_COST", "'LOAD_COST' in"},
                                    {"mullapudi:=3", "'=3' in"},
                                    {"mullapudi:LOAD_COST=20;", "'' in"},
                                    {"mullapudi:LOAD=20", "LOAD"},
                                    {"mullapudi:LOAD_COST=-1", "LOAD_COST"},
                                    {"auto:LOAD_COST=20", "LOAD_COST"}}) {
    const auto found = algorithmWord(word);
    ASSERT_FALSE(found) << word;
    EXPECT_EQ(found.error().code, ErrorCode::Usage) << word;
    EXPECT_THAT(found.error().message, HasSubstr(words)) << word;
  }
}

} // namespace
} // namespace tessera::tune

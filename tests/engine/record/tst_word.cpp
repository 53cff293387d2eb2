// SPDX-License-Identifier: MIT
#include "engine/record/word.h"

#include <gtest/gtest.h>

#include <type_traits>

namespace tessera::record {
namespace {

// Text made at run time cannot become a word, and so cannot become a field.
static_assert(!std::is_constructible_v<Word, std::string>);
static_assert(!std::is_constructible_v<Word, std::string_view>);
static_assert(!std::is_constructible_v<Field, Word, std::string>);
static_assert(!std::is_constructible_v<Field, Word, std::string_view>);
static_assert(!std::is_constructible_v<Field, Word, double>);
static_assert(!std::is_convertible_v<std::string, Version>);

constexpr Word kKnown[] = {"import", "verify"};

TEST(Word, OneOfThoseThatAreKnown) {
  EXPECT_EQ(oneOf("verify", kKnown), Word("verify"));
  EXPECT_EQ(oneOf("Verify", kKnown), Word("other"));
  EXPECT_EQ(oneOf("my_secret_func", kKnown).text(), "other");
}

TEST(Version, IsANumberAndACommit) {
  for (const char *good : {"0.1.0", "21.0.0", "0.1.0 (5c2f0a91b3d4)", "0.1.0 (5c2f0a91b3d4-dirty)"})
    EXPECT_EQ(Version(good).text(), good);
  for (const char *bad : {"", "1", "12", "secret_func", "0.1.0 secret_func", "0.1.0 (secret_func)",
                          "0.1.0 (", "0.1.0 ()", "1.secret", ".1.0", "0.1.0\nforged line",
                          "1.00000000000000000000000000000000000000000000000000000000000"})
    EXPECT_EQ(Version(bad).text(), "unknown") << bad;
}

TEST(Field, ATruthIsYesOrNo) {
  EXPECT_EQ(std::get<Word>(Field("is", true).value), Word("yes"));
  EXPECT_EQ(std::get<Word>(Field("is", false).value), Word("no"));
  EXPECT_EQ(std::get<std::int64_t>(Field("count", 7U).value), 7);
}

} // namespace
} // namespace tessera::record

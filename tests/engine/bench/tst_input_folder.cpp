// SPDX-License-Identifier: MIT
#include "engine/bench/input_folder.h"

#include "engine/host/files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace tessera::bench {
namespace {

using testing::HasSubstr;

class InputFolderTest : public testing::Test {
protected:
  const std::string &folder() const { return m_scratch->path(); }
  static GivenInput input(const std::string &name, std::uint8_t value) {
    return {name, {{pipeline::TypeKind::UInt, 8}, {3, 2}, std::vector<std::uint8_t>(6, value), 0}};
  }

private:
  Result<host::ScratchFolder> m_scratch = host::ScratchFolder::create(testing::TempDir());
};

TEST_F(InputFolderTest, HoldsWhatWasWritten) {
  EXPECT_EQ(inputsIn(folder()), "");
  ASSERT_TRUE(writeInputs({input("a", 1), input("b", 2)}, folder()));
  EXPECT_EQ(inputsIn(folder()), folder());
  const auto inputs = readInputs(folder());
  ASSERT_TRUE(inputs) << inputs.error().message;
  ASSERT_EQ(inputs->entries.size(), 2U);
  EXPECT_EQ(inputs->entries[1].name, "b");
  EXPECT_EQ(inputs->entries[1].extents, (std::vector<std::int64_t>{3, 2}));
  EXPECT_EQ(*host::readFile(inputs->entries[1].file), std::string(6, '\2'));
}

TEST_F(InputFolderTest, IsKnownByItsContent) {
  const auto sha256 = [&](const std::string &name, std::uint8_t value) {
    const std::string there = folder() + "/" + name;
    EXPECT_TRUE(writeInputs({input("a", value)}, there));
    return readInputs(there)->sha256;
  };
  EXPECT_EQ(sha256("one", 1), sha256("same", 1));
  EXPECT_NE(sha256("one", 1), sha256("other", 2));
}

// A folder that is used again must not keep the inputs of the previous run.
TEST_F(InputFolderTest, NoInputsTakeThemAway) {
  ASSERT_TRUE(writeInputs({input("a", 1)}, folder()));
  ASSERT_TRUE(writeInputs({}, folder()));
  EXPECT_EQ(inputsIn(folder()), "");
}

// A run must not go on with inputs that it believes are gone.
TEST_F(InputFolderTest, InputsThatCannotBeTakenAwayAreAnError) {
  std::filesystem::create_directories(folder() + "/inputs.json/inner"); // remove() refuses it
  const Status removed = writeInputs({}, folder());
  ASSERT_FALSE(removed);
  EXPECT_THAT(removed.error().message, HasSubstr("inputs.json"));
  EXPECT_TRUE(writeInputs({}, folder() + "/missing")) << "where nothing is, nothing is left";
}

TEST_F(InputFolderTest, AFullDiskIsTheSystemsFault) {
  std::filesystem::create_symlink("/dev/full", folder() + "/input0.raw");
  const Status written = writeInputs({input("a", 1)}, folder());
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::System);
}

TEST_F(InputFolderTest, DamageIsTold) {
  EXPECT_THAT(readInputs(folder()).error().message, HasSubstr("inputs.json is not an object"));
  for (const char *text :
       {"[]", "{}", R"({"format": "else", "inputs": []})",
        R"({"format": "tessera-inputs", "inputs": [{"name": "a"}]})",
        R"({"format": "tessera-inputs", "inputs": [{"name": "a", "type": "uint8", "extents": [1],
            "file": "../input0.raw", "sha256": ""}]})"}) {
    ASSERT_TRUE(host::writeFile(folder() + "/inputs.json", text));
    EXPECT_FALSE(readInputs(folder())) << text;
  }
}

} // namespace
} // namespace tessera::bench

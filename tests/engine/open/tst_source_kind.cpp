// SPDX-License-Identifier: MIT
#include "engine/open/source_kind.h"
#include "tests/engine/host/scratch_test.h"
#include "tests/support/build_paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tessera::open {
namespace {

using testing::HasSubstr;

class SourceKindTest : public host::test::ScratchTest {
protected:
  std::string refusal(const std::string &path) {
    const auto kind = detectSourceKind(path);
    EXPECT_FALSE(kind);
    return kind ? "" : kind.error().message;
  }
};

TEST_F(SourceKindTest, TellsProgramsFromLibraries) {
  EXPECT_EQ(*detectSourceKind(tessera::test::binPath("tessera-gengen")),
            SourceKind::GeneratorProgram);
  EXPECT_EQ(*detectSourceKind(tessera::test::binPath("libautoschedule_tessera.so")),
            SourceKind::GeneratorLibrary);
}

TEST_F(SourceKindTest, TakesSourcesByContentAndEnding) {
  EXPECT_EQ(*detectSourceKind(file("a.cpp", "int x;\n")), SourceKind::GeneratorSource);
  EXPECT_THAT(refusal(file("b.cpp", std::string("\x01\x02", 2))), HasSubstr("holds no pipeline"));
  EXPECT_THAT(refusal(file("notes.txt", "hello\n")), HasSubstr("holds no pipeline"));
}

TEST_F(SourceKindTest, LeavesAnyHlpipeToTheWorker) {
  EXPECT_EQ(*detectSourceKind(file("a.hlpipe", "garbage")), SourceKind::SerializedPipeline);
}

TEST_F(SourceKindTest, NamesWhatIsWrong) {
  EXPECT_THAT(refusal(folder() + "/missing.hlpipe"), HasSubstr("No such file"));
  EXPECT_THAT(refusal(folder()), HasSubstr("Is a directory"));
  EXPECT_THAT(refusal(file("empty.hlpipe", "")), HasSubstr("is empty"));
  EXPECT_THAT(refusal("/dev/null"), HasSubstr("not a regular file"));
  EXPECT_THAT(refusal(file("cut", "\x7f"
                                  "ELF\x02")),
              HasSubstr("not a 64-bit"));
}

TEST_F(SourceKindTest, SurvivesElfHeadersThatLead_Anywhere) {
  std::string elf("\x7f"
                  "ELF\x02",
                  5);
  elf.resize(200, '\xff');
  elf[16] = 3;
  elf[17] = 0;
  EXPECT_EQ(*detectSourceKind(file("wild", elf)), SourceKind::GeneratorLibrary);
}

} // namespace
} // namespace tessera::open

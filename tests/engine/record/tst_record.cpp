// SPDX-License-Identifier: MIT
#include "engine/record/record.h"

#include "tests/engine/record/log_test.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <unistd.h>

namespace tessera::record {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::MatchesRegex;

using RecordTest = test::LogTest;

TEST_F(RecordTest, ALineSaysWhenWhoAndWhat) {
  const auto record = std::make_unique<Record>(Record::open(place()));
  record->write(Level::Warning, "request ended",
                {{"program", "tessera-gpu"},
                 {"outcome", "crash with signal"},
                 {"ms", 1250},
                 {"killed", true},
                 {"version", Version("0.1.0 (5c2f0a91b3d4)")}});
  *record = {}; // closes the log after all lines are written
  EXPECT_THAT(
      lines("tessera.log"),
      ElementsAre(MatchesRegex(
          "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}[+-][0-9]{2}:[0-9]{2} "
          "\\[" +
          std::to_string(::getpid()) +
          "\\] warning: request ended program=tessera-gpu outcome=\"crash with signal\" ms=1250 "
          "killed=yes version=\"0.1.0 \\(5c2f0a91b3d4\\)\"")));
}

TEST_F(RecordTest, OneThatWasNotOpenedWritesNothing) {
  const Record record;
  EXPECT_FALSE(record);
  record.write(Level::Error, "nobody reads this");
  record.onTrouble([](const Error &) { FAIL(); });
  EXPECT_EQ(record.numberOf("somewhere/file"), 0);
  EXPECT_EQ(record.folder() + record.file(), "");
}

TEST_F(RecordTest, NothingIsThereBeforeTheFirstLine) {
  Record record = Record::open(place());
  EXPECT_EQ(record.folder(), folder());
  EXPECT_EQ(record.file(), "");
  record = {};
  EXPECT_FALSE(std::filesystem::exists(folder()));
}

TEST_F(RecordTest, CopiesWriteIntoTheSameFile) {
  Record record = Record::open(place());
  {
    const Record copy = record;
    copy.write(Level::Info, "first");
  }
  record.write(Level::Info, "second");
  record = {};
  EXPECT_EQ(lines("tessera.log").size(), 2U);
  EXPECT_THAT(files(), ElementsAre("tessera.log"));
}

TEST_F(RecordTest, FilesAreNumbers) {
  const Record record = Record::open(place());
  EXPECT_EQ(record.numberOf("somewhere/secret.hlpipe"), 1);
  EXPECT_EQ(record.numberOf("somewhere/other.hlpipe"), 2);
  EXPECT_EQ(record.numberOf("somewhere/secret.hlpipe"), 1);
}

TEST_F(RecordTest, OnlyTheUserReadsTheFolder) {
  Record record = Record::open(place());
  record.write(Level::Info, "a line");
  record = {};
  EXPECT_EQ(std::filesystem::status(folder()).permissions(), std::filesystem::perms::owner_all);
}

} // namespace
} // namespace tessera::record

// SPDX-License-Identifier: MIT
#include "engine/record/file_lines.h"

#include "tests/engine/record/log_test.h"

#include <gmock/gmock.h>

namespace tessera::record {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

using FileLinesTest = test::LogTest;

TEST_F(FileLinesTest, KindAndSizeAndNeitherNameNorPath) {
  const std::string path = scratch() + "/my_secret.hlpipe";
  ASSERT_TRUE(host::writeFile(path, "12345"));
  Record record = Record::open(place());
  const auto now = std::chrono::steady_clock::now();
  write(record, {.kind = "document", .path = path, .start = now, .facts = {{"stages", 3}}});
  write(record, {.path = path + ".gone", .failed = ErrorCode::InputRefused, .start = now});
  write(record, {.what = "file saved", .kind = "document", .path = path, .start = now});
  record = {};
  EXPECT_THAT(
      lines("tessera.log"),
      ElementsAre(
          AllOf(HasSubstr(" info: file opened file=1 kind=document bytes=5 outcome=ok ms="),
                HasSubstr(" stages=3")),
          HasSubstr(" warning: file opened file=2 kind=unknown outcome=\"input refused\" ms="),
          HasSubstr(" info: file saved file=1 kind=document bytes=5 outcome=ok ms=")));
  EXPECT_THAT(text("tessera.log"), Not(HasSubstr("secret")));
}

} // namespace
} // namespace tessera::record

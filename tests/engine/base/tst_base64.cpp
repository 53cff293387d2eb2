// SPDX-License-Identifier: MIT
#include "engine/base/base64.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

namespace tessera {
namespace {

TEST(Base64, IsThatOfTheStandard) { // examples of RFC 4648, section 10
  EXPECT_EQ(toBase64(""), "");
  EXPECT_EQ(toBase64("f"), "Zg==");
  EXPECT_EQ(toBase64("fo"), "Zm8=");
  EXPECT_EQ(toBase64("foo"), "Zm9v");
  EXPECT_EQ(toBase64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(toBase64("\xff\xfe\xfd"), "//79");
}

TEST(Base64, RefusesWhatItDoesNotWrite) {
  for (const char *text : {"Z", "Zg", "Zg=", "Zg===", "=Zg=", "Zh==", "Zm9=", "Zm9v\n",
                           "Z g=", "Zg==Zg==", "====", "Z==="})
    EXPECT_FALSE(fromBase64(text)) << text;
}

RC_GTEST_PROP(Base64, GivesBackTheBytes, (const std::string &bytes)) {
  RC_ASSERT(fromBase64(toBase64(bytes)) == bytes);
}

} // namespace
} // namespace tessera

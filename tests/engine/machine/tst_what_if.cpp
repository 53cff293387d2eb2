// SPDX-License-Identifier: MIT
#include "engine/machine/what_if.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tessera::machine {
namespace {

using testing::HasSubstr;

Machine small() {
  Machine machine;
  machine.name = "small";
  machine.title = "A Small One";
  machine.sources["dram_bytes_per_second"] = "its data sheet";
  return machine;
}

TEST(WhatIf, IsNamedAsSuch) {
  const Machine copy = whatIfOf(small());
  EXPECT_EQ(copy.name, "small-what-if");
  EXPECT_EQ(copy.title, "A Small One, what if");
  EXPECT_TRUE(isWhatIf(copy.name));
  EXPECT_EQ(originalOf(copy.name), "small");
  EXPECT_EQ(whatIfOf(copy), copy) << "a copy of a copy is the copy";
  EXPECT_FALSE(isWhatIf("small"));
  EXPECT_FALSE(isWhatIf("-what-if"));
}

TEST(WhatIf, ChangesOneNumberAndSaysSo) {
  const auto faster = withValue(whatIfOf(small()), "dram_bytes_per_second", 8e12);
  ASSERT_TRUE(faster);
  EXPECT_EQ(faster->memory.dramBytesPerSecond, 8e12);
  EXPECT_EQ(faster->sources.at("dram_bytes_per_second"), "what if");
  const auto wider = withValue(*faster, "block_y", 2048);
  ASSERT_TRUE(wider);
  EXPECT_EQ(wider->limits.blockDims[1], 2048);
  const Machine back = withValueOf(*wider, "dram_bytes_per_second", small());
  EXPECT_EQ(back.memory.dramBytesPerSecond, small().memory.dramBytesPerSecond);
  EXPECT_EQ(back.sources.at("dram_bytes_per_second"), "its data sheet");
  EXPECT_EQ(back.limits.blockDims[1], 2048);
}

TEST(WhatIf, RefusesWhatCannotBe) {
  for (const auto &[field, value] :
       {std::pair("warp_size", 0.0), std::pair("warp_size", -32.0), std::pair("warp_size", 31.5),
        std::pair("dram_bytes_per_second", 1e16), std::pair("clock_hz", 0.0)}) {
    const auto changed = withValue(small(), field, value);
    ASSERT_FALSE(changed) << field << " " << value;
    EXPECT_EQ(changed.error().code, ErrorCode::Usage);
    EXPECT_THAT(changed.error().hint, HasSubstr("number"));
  }
  EXPECT_TRUE(withValue(small(), "shared_reserved_bytes", 0));
  EXPECT_THAT(withValue(small(), "shared_reserved_bytes", -1).error().hint,
              HasSubstr("at least 0"));
  EXPECT_THAT(withValue(small(), "warp_size", 0).error().hint, HasSubstr("at least 1"));
  EXPECT_THAT(withValue(small(), "wings", 2).error().message, HasSubstr("'wings'"));
}

} // namespace
} // namespace tessera::machine

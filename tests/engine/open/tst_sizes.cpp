// SPDX-License-Identifier: MIT
#include "engine/open/sizes.h"

#include "engine/open/open.h"
#include "engine/host/files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

namespace tessera::open {
namespace {

using testing::HasSubstr;

constexpr const char *kTable = R"({
  "harris": {
    "small": { "from": "a paper", "estimates": ["input=0:192,0:320,0:3", "output=3:186,3:314"] },
    "large": { "from": "another", "estimates": ["output=3:4250,3:2826"] }
  },
  "mat_mul": { "small": { "from": "a paper", "folder": "small" } }
})";

TEST(Sizes, AreReadInTheOrderOfTheFile) {
  const auto sizes = parseSizes(kTable, "harris");
  ASSERT_TRUE(sizes);
  ASSERT_EQ(sizes->size(), 2U);
  EXPECT_EQ((*sizes)[0].name, "small");
  EXPECT_EQ((*sizes)[0].from, "a paper");
  EXPECT_EQ((*sizes)[0].estimates.size(), 2U);
  EXPECT_EQ((*sizes)[1].name, "large");
  EXPECT_EQ((*sizes)[1].folder, "");
}

TEST(Sizes, OfAPipelineThatIsNotListedAreNone) {
  const auto sizes = parseSizes(kTable, "blur");
  ASSERT_TRUE(sizes);
  EXPECT_TRUE(sizes->empty());
}

class SizesRefuse : public testing::TestWithParam<const char *> {};

TEST_P(SizesRefuse, WhatIsNoTable) {
  const auto sizes = parseSizes(GetParam(), "a");
  ASSERT_FALSE(sizes);
  EXPECT_EQ(sizes.error().code, ErrorCode::InputRefused);
  EXPECT_THAT(sizes.error().message, HasSubstr("sizes.json"));
}

INSTANTIATE_TEST_SUITE_P(Texts, SizesRefuse,
                         testing::Values("", "{", "[]", "7", R"({"a": 1})", R"({"a": {"s": 1}})",
                                         R"({"a": {"s": {"from": 1}}})",
                                         R"({"a": {"s": {"folder": []}}})",
                                         R"({"a": {"s": {"folder": ".."}}})",
                                         R"({"a": {"s": {"folder": "../b"}}})",
                                         R"({"a": {"s": {"folder": "/etc"}}})",
                                         R"({"a": {"s": {"estimates": "x=0:1"}}})",
                                         R"({"a": {"s": {"estimates": [1]}}})"));

class AtSize : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_TRUE(m_scratch);
    ASSERT_TRUE(host::writeFile(path("sizes.json"), kTable));
  }

  std::string path(const std::string &file) const { return m_scratch->path() + "/" + file; }

  OpenRequest request(const std::string &file, const std::string &size) const {
    OpenRequest request;
    request.path = path(file);
    request.size = size;
    return request;
  }

private:
  Result<host::ScratchFolder> m_scratch = host::ScratchFolder::create(testing::TempDir());
};

TEST_F(AtSize, EstimatesOfTheUserComeLast) {
  OpenRequest asked = request("harris.hlpipe", "small");
  asked.estimates.push_back(*parseEstimate("input=0:200,0:400,0:3"));
  const auto sized = atSize(asked);
  ASSERT_TRUE(sized);
  EXPECT_EQ(sized->path, asked.path);
  ASSERT_EQ(sized->estimates.size(), 3U);
  EXPECT_EQ(sized->estimates[1].name, "output");
  EXPECT_EQ(sized->estimates[2].dims[0].extent(), 200);
}

TEST_F(AtSize, AScheduledTwinHasTheSizesOfItsPipeline) {
  const auto sized = atSize(request("harris.manual.hlpipe", "large"));
  ASSERT_TRUE(sized);
  EXPECT_EQ(sized->estimates.size(), 1U);
}

TEST_F(AtSize, AFolderHoldsWhatEstimatesCannotChange) {
  const auto sized = atSize(request("mat_mul.manual.hlpipe", "small"));
  ASSERT_TRUE(sized);
  EXPECT_EQ(sized->path, path("small/mat_mul.manual.hlpipe"));
  EXPECT_TRUE(sized->estimates.empty());
}

TEST_F(AtSize, ItsOwnSizeIsAlwaysThere) {
  for (const std::string size : {"", "target"}) {
    const auto sized = atSize(request("blur.hlpipe", size));
    ASSERT_TRUE(sized);
    EXPECT_EQ(sized->path, path("blur.hlpipe"));
    EXPECT_TRUE(sized->estimates.empty());
  }
}

TEST_F(AtSize, AnUnknownSizeIsAnsweredWithThoseThereAre) {
  const auto sized = atSize(request("harris.hlpipe", "huge"));
  ASSERT_FALSE(sized);
  EXPECT_EQ(sized.error().code, ErrorCode::Usage);
  EXPECT_THAT(sized.error().message, HasSubstr("'huge'"));
  EXPECT_THAT(sized.error().hint, HasSubstr("'target', 'small' (a paper), 'large' (another)"));
}

TEST_F(AtSize, WithoutATableThereIsNoOther) {
  OpenRequest elsewhere = request("harris.hlpipe", "small");
  elsewhere.path = "/nowhere/harris.hlpipe";
  const auto sized = atSize(elsewhere);
  ASSERT_FALSE(sized);
  EXPECT_EQ(sized.error().code, ErrorCode::Usage);
}

} // namespace
} // namespace tessera::open

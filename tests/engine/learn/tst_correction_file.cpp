// SPDX-License-Identifier: MIT
#include "engine/learn/correction_file.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <functional>

namespace tessera::learn {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using Node = BoostedTrees::Node;

Correction learned() {
  const Node leaf{Node::kLeaf, 0, 0, 0.1F};
  return {.judges = {BoostedTrees(0.25F, {{{3, 1, 2, 0.5F}, leaf, leaf}, {leaf}}), BoostedTrees()},
          .program = "0.1.0 (98ba92ae)",
          .machines = {"NVIDIA H200"},
          .applications = {"blur", "harris"},
          .kernels = 1234,
          .seed = 7};
}

std::string refusalOf(const std::string &text) {
  const auto correction = correctionFrom(text, "mine.correction");
  return correction.ok() ? "accepted" : correction.error().message;
}

std::string changedCorrection(const std::function<void(json &)> &change) {
  json document = json::parse(toText(learned()));
  change(document);
  return document.dump();
}

TEST(CorrectionFile, ReadsBackWhatItWrote) {
  const auto again = correctionFrom(toText(learned()), "mine.correction");
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_EQ(*again, learned());
}

TEST(CorrectionFile, IsNotChangedByHowItIsWritten) {
  EXPECT_EQ(refusalOf(json::parse(toText(learned())).dump(2)), "accepted");
}

TEST(CorrectionFile, AFileThatIsNotWholeIsRefusedByName) {
  const std::string whole = toText(learned());
  for (const std::size_t length : {40UL, whole.size() / 2, whole.size() - 3})
    EXPECT_EQ(refusalOf(whole.substr(0, length)), "'mine.correction' is damaged: it is not whole.");
}

TEST(CorrectionFile, AnotherKindOfFileIsRefusedByName) {
  for (const std::string text :
       {"", "P6 640 480", "{}", "[1]", "{\"format\": \"tessera-weights\"}"})
    EXPECT_EQ(refusalOf(text), "'mine.correction' is not a file of a correction.") << text;
}

TEST(CorrectionFile, OtherFeaturesAreRefused) {
  for (const char *key : {"version", "features"})
    EXPECT_THAT(refusalOf(changedCorrection([&](json &document) { document[key] = 99; })),
                HasSubstr("another version"))
        << key;
}

TEST(CorrectionFile, AChangedTreeIsNoticed) {
  EXPECT_THAT(
      refusalOf(changedCorrection([](json &document) { document["judges"][0]["start"] = 0.5; })),
      HasSubstr("not those that were written"));
}

TEST(CorrectionFile, EachMissingMemberIsRefused) {
  for (const char *key :
       {"program", "machines", "applications", "kernels", "seed", "sha256", "judges"})
    EXPECT_THAT(refusalOf(changedCorrection([&](json &document) { document.erase(key); })),
                HasSubstr("is damaged"))
        << key;
}

} // namespace
} // namespace tessera::learn

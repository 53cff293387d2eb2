// SPDX-License-Identifier: MIT
#include "engine/learn/weights_file.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <functional>
#include <random>

namespace tessera::learn {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;

TrainedWeights trained() {
  return {.weights = randomWeights(5),
          .program = "0.1.0 (5c2f0a91b3d4)",
          .machines = {"NVIDIA H200"},
          .applications = {"blur", "harris"},
          .samples = 1234,
          .seed = 5,
          .epochs = 200,
          .loss = 0.25};
}

// What is said of a file: "accepted", or the message.
std::string refusal(const std::string &bytes) {
  const auto weights = weightsFrom(bytes, "mine.weights");
  return weights.ok() ? "accepted" : weights.error().message;
}

std::string changed(const std::function<void(json &)> &change) {
  json document = json::parse(toText(trained()));
  change(document);
  return document.dump();
}

TEST(WeightsFile, ReadsBackEveryBitThatItWrote) {
  const auto again = weightsFrom(toText(trained()), "mine.weights");
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_EQ(*again, trained());
}

TEST(WeightsFile, IsNotChangedByHowItIsWritten) {
  EXPECT_EQ(refusal(json::parse(toText(trained())).dump(2)), "accepted");
}

TEST(WeightsFile, AFileThatIsNotWholeIsRefusedByName) {
  const std::string whole = toText(trained());
  for (const std::size_t length : {40UL, 500UL, whole.size() / 2, whole.size() - 3})
    EXPECT_EQ(refusal(whole.substr(0, length)), "'mine.weights' is damaged: it is not whole.")
        << length;
}

TEST(WeightsFile, AnotherKindOfFileIsRefusedByName) {
  for (const std::string bytes : {"", "P6 640 480", "{}", "[1, 2]", "{\"format\": \"tessera\"}"})
    EXPECT_EQ(refusal(bytes), "'mine.weights' is not a file of weights.") << bytes;
}

TEST(WeightsFile, AnOlderFileIsRefusedWithItsVersion) {
  EXPECT_THAT(refusal(changed([](json &one) { one["version"] = 0; })),
              AllOf(HasSubstr("'mine.weights' has version 0"), HasSubstr("reads 1")));
  EXPECT_THAT(refusal(changed([](json &one) { one["features"] = 77; })),
              HasSubstr("'mine.weights' has weights for version 77 of the features"));
  EXPECT_THAT(refusal(changed([](json &one) { one.erase("features"); })),
              HasSubstr("version none"));
}

TEST(WeightsFile, AChangedNumberIsNoticed) {
  EXPECT_EQ(refusal(changed([](json &one) { one["weights"][17] = 0.5; })),
            "'mine.weights' is damaged: its weights are not those that were written.");
  EXPECT_THAT(refusal(changed([](json &one) { one["weights"].erase(0); })),
              HasSubstr("does not have 5080 weights"));
  EXPECT_THAT(refusal(changed([](json &one) { one["weights"][0] = "0.5"; })),
              HasSubstr("a weight is not a number"));
  EXPECT_THAT(refusal(changed([](json &one) { one["weights"][0] = nullptr; })),
              HasSubstr("a weight is not a number"));
}

TEST(WeightsFile, WhatElseIsWrongIsNamed) {
  EXPECT_THAT(refusal(changed([](json &one) { one.erase("program"); })),
              HasSubstr("'program' is missing"));
  EXPECT_THAT(refusal(changed([](json &one) { one["seed"] = -1; })),
              HasSubstr("'seed' is not a number"));
  EXPECT_THAT(refusal(changed([](json &one) {
                one["machines"] = {"H200", 3};
              })),
              HasSubstr("'machines' is not a list of texts"));
  EXPECT_THAT(refusal(changed([](json &one) { one["epochs"] = 1e30; })), HasSubstr("'epochs'"));
}

// Whatever is damaged, reading ends with an answer, and never with other weights.
TEST(WeightsFile, RandomDamageIsRefusedOrHarmless) {
  const std::string whole = toText(trained());
  std::mt19937 random(3);
  for (int i = 0; i < 200; ++i) {
    std::string damaged = whole;
    damaged[random() % damaged.size()] = static_cast<char>(random() % 256);
    const auto weights = weightsFrom(damaged, "mine.weights");
    if (weights.ok())
      EXPECT_EQ(weights->weights, trained().weights);
    else
      EXPECT_THAT(weights.error().message, HasSubstr("'mine.weights'"));
  }
}

TEST(WeightsFile, HalidesFileIsTaken) {
  EXPECT_THAT(refusal("1fwh"), HasSubstr("not a file of Halide's weights"));
}

} // namespace
} // namespace tessera::learn

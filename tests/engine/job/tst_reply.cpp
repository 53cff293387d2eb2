// SPDX-License-Identifier: MIT
#include "engine/job/reply.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tessera::job {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

Reply read(json message) { return *replyFromMessage(std::move(message)); }

TEST(Reply, EveryOutcomeCrossesAsItIs) {
  for (int i = 0; i < kOutcomeCount; ++i) {
    const auto outcome = static_cast<Outcome>(i);
    const Reply sent = outcome == Outcome::Ok
                           ? Reply{outcome, {{"x", 1}}, {}}
                           : failed(outcome, ErrorCode::NotTrusted, "what", "do this");
    const Reply received = read(replyMessage(7, sent));
    EXPECT_EQ(received.outcome, outcome);
    EXPECT_EQ(received.body, sent.body);
    EXPECT_EQ(received.error, sent.error);
  }
}

TEST(Reply, EveryErrorCodeCrosses) {
  for (const ErrorCode code : {ErrorCode::Usage, ErrorCode::InputRefused, ErrorCode::NotTrusted,
                               ErrorCode::WorkerFailed, ErrorCode::Cancelled, ErrorCode::System})
    EXPECT_EQ(read(replyMessage(1, failed(Outcome::CompileError, code, "m"))).error.code, code);
}

TEST(Reply, WhatHelpsCrosses) {
  Reply reply = failed(Outcome::CompileError, "it has no estimate");
  EXPECT_FALSE(replyMessage(1, reply)["error"].contains("remedy"));
  EXPECT_EQ(read(replyMessage(1, reply)).error.remedy, ErrorRemedy::None);
  for (const ErrorRemedy remedy :
       {ErrorRemedy::Estimates, ErrorRemedy::Parameters, ErrorRemedy::Build}) {
    reply.error.remedy = remedy;
    EXPECT_EQ(read(replyMessage(1, reply)).error, reply.error);
  }
  reply.error.asked = {{"estimate", "out=0:4"}, {"param", "in.type=uint8"}};
  EXPECT_EQ(read(replyMessage(1, reply)).error, reply.error);
  json broken = replyMessage(1, reply);
  broken["error"]["asked"] = {3, {{"option", 4}}};
  EXPECT_EQ(read(broken).error.asked, (std::vector<Asked>{{"", ""}}));
}

TEST(Reply, WhatIsNoneIsRefusedByName) {
  const auto refused = [](json message) {
    const Result<Reply> reply = replyFromMessage(std::move(message));
    EXPECT_FALSE(reply);
    return reply.error().message;
  };
  EXPECT_THAT(refused({{"outcome", "fine"}}), HasSubstr("unknown outcome 'fine'"));
  EXPECT_THAT(refused({{"outcome", 3}}), HasSubstr("unknown outcome ''"));
  EXPECT_THAT(refused(json::object()), HasSubstr("unknown outcome ''"));
  EXPECT_THAT(refused({{"outcome", "ok"}}), HasSubstr("without a body"));
  EXPECT_THAT(refused({{"outcome", "compile error"}}), HasSubstr("without an error"));
  EXPECT_THAT(refused({{"outcome", "compile error"}, {"error", "text"}}),
              HasSubstr("without an error"));
}

TEST(Reply, AnUnknownCodeFallsBackToTheOutcomes) {
  const Reply reply = read({{"outcome", "compile error"}, {"error", {{"code", "new"}}}});
  EXPECT_EQ(reply.error.code, ErrorCode::InputRefused);
}

TEST(Reply, ProgressSaysWhatIsWorkedOn) {
  const auto crossed = [](const Progress &progress) {
    return progressFromMessage(progressMessage(1, progress));
  };
  EXPECT_EQ(crossed({"measuring", 0.5, 2}).item, 2U);
  EXPECT_EQ(crossed({"measuring", 0.5}).item, std::nullopt);
  EXPECT_EQ(progressFromMessage({{"phase", "x"}, {"item", -1}}).item, std::nullopt);
}

TEST(Reply, ProgressForgivesMissingFields) {
  EXPECT_EQ(progressFromMessage({{"phase", "bounds"}, {"fraction", 0.5}}).phase, "bounds");
  EXPECT_EQ(progressFromMessage({{"phase", "bounds"}, {"fraction", 1}}).fraction, 1);
  EXPECT_EQ(progressFromMessage({{"phase", 3}, {"fraction", "half"}}).phase, "");
  EXPECT_EQ(progressFromMessage(json::object()).fraction, -1);
}

} // namespace
} // namespace tessera::job

// SPDX-License-Identifier: MIT
#pragma once

#include "engine/job/worker_client.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace tessera::job {

// The messages of worker_client.h as JSON, for both ends.
nlohmann::json progressMessage(std::uint64_t id, const Progress &progress);
nlohmann::json replyMessage(std::uint64_t id, Reply reply);
nlohmann::json greeting(const std::string &version);

// An error with the cause if the message is not a valid reply.
Result<Reply> replyFromMessage(nlohmann::json message);
Progress progressFromMessage(const nlohmann::json &message);
bool isGreeting(const nlohmann::json &message); // `message` must be an object
std::string versionFromGreeting(const nlohmann::json &message);

Reply failed(Outcome outcome, ErrorCode code, std::string message, std::string hint = {});
Reply failed(Outcome outcome, std::string message, std::string hint = {});

std::string_view name(ErrorCode code); // "usage", "input refused", …

} // namespace tessera::job

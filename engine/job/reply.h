// SPDX-License-Identifier: MIT
#pragma once

#include "engine/job/worker_client.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace tessera::job {

// The messages of worker_client.h as JSON; both ends use these.
nlohmann::json progressMessage(std::uint64_t id, const Progress &progress);
nlohmann::json replyMessage(std::uint64_t id, Reply reply);

// `worker` names the sender in the error of a reply that does not follow the protocol.
Reply replyFromMessage(const std::string &worker, nlohmann::json message);
Progress progressFromMessage(const nlohmann::json &message);

Reply failed(Outcome outcome, ErrorCode code, std::string message, std::string hint = {});
Reply failed(Outcome outcome, std::string message, std::string hint = {});

std::string_view name(ErrorCode code); // "usage", "input refused", …

} // namespace tessera::job

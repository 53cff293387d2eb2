// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace tessera::schedule::testing {

// The messages that the tables of wrong requests expect, one for each request.
std::vector<std::string> messagesOfRaise();
std::vector<std::string> messagesOfLegality();
std::vector<std::string> messagesOfJson();

} // namespace tessera::schedule::testing

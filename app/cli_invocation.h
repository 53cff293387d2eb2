// SPDX-License-Identifier: MIT
#pragma once

#include "engine/host/tools.h"

#include <functional>
#include <stop_token>

namespace tessera::app {

// What main() passes to the command: when to stop, and the tools that were found, with the log of
// this process.
struct Invocation {
  std::stop_token stop;
  host::ToolPaths tools;
};
using Command = std::function<int(const Invocation &)>;

} // namespace tessera::app

// SPDX-License-Identifier: MIT
#pragma once

#include "engine/session/tools.h"

namespace tessera::app {

// The one place that reads the environment: PATH, CXX, HOME, XDG_CACHE_HOME, XDG_CONFIG_HOME and
// where this program lies.
session::ToolSearch toolSearch();

} // namespace tessera::app

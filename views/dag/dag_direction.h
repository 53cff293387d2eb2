// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/host/layout.h"

#include <cstdint>

namespace tessera::views {

// Where the consumers of a func stand. Both layouters know only Down. For Right, the layouter gets
// each node with width and height exchanged, and its layout is mirrored about the diagonal.
enum class DagDirection : std::uint8_t { Down, Right };

host::GraphShape mirrored(host::GraphShape shape);
host::GraphLayout mirrored(host::GraphLayout layout);

} // namespace tessera::views

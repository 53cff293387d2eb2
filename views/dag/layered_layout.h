// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/host/layout.h"

namespace tessera::views {

// A plain layered drawing in a few milliseconds: shown while Graphviz is still thinking, and where
// it failed. Layers by longest path, order by barycentres, places by isotonic regression. Same
// shape, same numbers; edges that close a cycle are drawn but do not count.
host::GraphLayout layeredLayout(const host::GraphShape &shape);

} // namespace tessera::views

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/host/layout.h"

namespace tessera::views {

// A plain layered layout, computed in a few milliseconds. It is shown while Graphviz is running and
// if Graphviz fails. The longest path to a node gives its layer, barycentres give the order in a
// layer, and isotonic regression gives the places. The same shape always gives the same numbers.
// Edges that close a cycle are drawn but do not influence the layout.
host::GraphLayout layeredLayout(const host::GraphShape &shape);

} // namespace tessera::views

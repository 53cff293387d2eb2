// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace tessera::views {

// The formula of predicted times in a line or two. Tooltips of predicted numbers show it.
QString predictionFormula();

} // namespace tessera::views

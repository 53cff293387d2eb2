// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace tessera::views {

// How our model comes to a time, in a line or two: what tooltips of predicted numbers say.
QString predictionFormula();

} // namespace tessera::views

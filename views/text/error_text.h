// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <QString>

namespace tessera::views {

// What happened, and what can be done where that is known, in one line.
inline QString errorText(const Error &error) {
  return QString::fromStdString(error.message + " " + error.hint).trimmed();
}

} // namespace tessera::views

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <string_view>

namespace tessera::views {

inline QString from(std::string_view text) {
  return QString::fromUtf8(text.data(), qsizetype(text.size()));
}

} // namespace tessera::views

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <string_view>

namespace tessera::views {

// A term of an algorithm's own cost of a kernel (search::KernelCost) in words: "member_loads" are
// "Loads from shared memory". An unknown term is shown by its name.
QString costTermText(std::string_view term);

// Its value: "20,448", "3.2 KiB", "62.5 %".
QString costValueText(std::string_view term, double value);

} // namespace tessera::views

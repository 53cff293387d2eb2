// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <string>

namespace tessera::views {

// Of an error's hint, what is worth reading beside a form that asks for the same: the sentences
// that name no option of the command line.
QString formHint(const std::string &hint);

} // namespace tessera::views

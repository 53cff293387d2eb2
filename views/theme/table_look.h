// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QHeaderView;

namespace tessera::views {

// A header that is a line of words and not a row of buttons; all tables share it.
void flattenHeader(QHeaderView &header);

} // namespace tessera::views

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QHeaderView;
class QTableView;

namespace tessera::views {

// A header that is a line of words and not a row of buttons; all tables share it.
void flattenHeader(QHeaderView &header);

// A table to sort and read: no grid, no row numbers, rows as high as a line of text and so many
// pixels.
void makeReadable(QTableView &table, int padding);

} // namespace tessera::views

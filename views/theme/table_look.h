// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QHeaderView;
class QTableView;

namespace tessera::views {

// Makes a header look like a line of words instead of a row of buttons. All tables use it.
void flattenHeader(QHeaderView &header);

// Makes a table easy to read: no grid, no row numbers, rows as high as a line of text plus
// `padding` pixels.
void makeReadable(QTableView &table, int padding);

} // namespace tessera::views

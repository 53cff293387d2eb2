// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QTableView;
class QTreeView;

namespace tessera::views {

// Gives a table a header that looks like a line of words instead of a row of buttons. All tables
// have it. Call it before anything about the header is set.
void setFlatHeader(QTableView &table);
void setFlatHeader(QTreeView &tree);

// Makes a table easy to read: no grid, no row numbers, rows as high as a line of text plus
// `padding` pixels.
void makeReadable(QTableView &table, int padding);

// The width that a column needs for its header and its texts. Only the longest texts are measured:
// resizeColumnToContents() measures all, which takes longer than a frame for a hundred rows.
int contentWidth(const QTableView &table, int column);

} // namespace tessera::views

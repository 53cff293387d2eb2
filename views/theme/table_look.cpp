// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/theme/table_look.h"

#include "views/theme/sort_header.h"

#include <QHeaderView>
#include <QTableView>
#include <QTreeView>

namespace tessera::views {

void setFlatHeader(QTableView &table) { table.setHorizontalHeader(new SortHeader(&table)); }

void setFlatHeader(QTreeView &tree) {
  tree.setHeader(new SortHeader(&tree));
  tree.header()->setStretchLastSection(true);
}

void makeReadable(QTableView &table, int padding) {
  table.setShowGrid(false);
  table.setAlternatingRowColors(true);
  table.setWordWrap(false);
  table.setTabKeyNavigation(false);
  table.setFrameShape(QFrame::NoFrame);
  setFlatHeader(table);
  table.setSortingEnabled(true);
  table.verticalHeader()->hide();
  table.verticalHeader()->setDefaultSectionSize(table.fontMetrics().height() + padding);
}

} // namespace tessera::views

// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/theme/table_look.h"

#include "views/theme/sort_header.h"

#include <QHeaderView>
#include <QTableView>
#include <QTreeView>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

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

int contentWidth(const QTableView &table, int column) {
  // Number of texts to measure. One is not enough: letters differ in width, so the text with the
  // most letters may not be the widest.
  constexpr std::size_t kMeasured = 6;
  const QAbstractItemModel &model = *table.model();
  std::vector<std::pair<qsizetype, int>> rows; // lengths of the texts, and their rows
  for (int row = 0; row < model.rowCount(); ++row)
    rows.emplace_back(model.index(row, column).data().toString().size(), row);
  const auto end = rows.begin() + qsizetype(std::min(rows.size(), kMeasured));
  std::partial_sort(rows.begin(), end, rows.end(), std::greater<>{});
  int width = table.horizontalHeader()->sectionSizeHint(column);
  for (auto at = rows.begin(); at != end; ++at) {
    const QSize size = table.sizeHintForIndex(model.index(at->second, column));
    width = std::max(width, size.width() + (table.showGrid() ? 1 : 0));
  }
  return width;
}

} // namespace tessera::views

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

// Letters differ in width, so the text with the most letters may not be the widest. The longest
// texts are compared by their letters, and the widest two are measured as the table draws them.
int contentWidth(const QTableView &table, int column) {
  constexpr std::size_t kCompared = 12, kMeasured = 2;
  const QAbstractItemModel &model = *table.model();
  using Text = std::pair<QString, int>; // with a row that has it
  std::vector<Text> texts;
  for (int row = 0; row < model.rowCount(); ++row)
    texts.emplace_back(model.index(row, column).data().toString(), row);
  const auto keepFirst = [&](std::size_t most, auto &&key) {
    const auto end = texts.begin() + qsizetype(std::min(texts.size(), most));
    std::ranges::partial_sort(texts, end, std::greater<>{}, key);
    texts.erase(end, texts.end());
  };
  keepFirst(kCompared, [](const Text &text) { return std::pair(text.first.size(), text.first); });
  const auto same = std::ranges::unique(texts, {}, &Text::first);
  texts.erase(same.begin(), same.end());
  keepFirst(kMeasured, [metrics = table.fontMetrics()](const Text &text) {
    return metrics.horizontalAdvance(text.first);
  });
  int width = table.horizontalHeader()->sectionSizeHint(column);
  for (const auto &[text, row] : texts) {
    const QSize size = table.sizeHintForIndex(model.index(row, column));
    width = std::max(width, size.width() + (table.showGrid() ? 1 : 0));
  }
  return width;
}

} // namespace tessera::views

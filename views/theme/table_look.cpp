// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/theme/table_look.h"

#include "views/theme/sort_header.h"

#include <QHeaderView>
#include <QTableView>

namespace tessera::views {

void flattenHeader(QHeaderView &header) {
  header.setHighlightSections(false);
  header.setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  header.setStyleSheet(
      QStringLiteral("QHeaderView{background:palette(base);border:0}"
                     "QHeaderView::section{background:palette(base);color:palette(shadow);border:0;"
                     "border-bottom:1px solid palette(midlight);padding:3px}"));
}

void makeReadable(QTableView &table, int padding) {
  table.setShowGrid(false);
  table.setAlternatingRowColors(true);
  table.setWordWrap(false);
  table.setTabKeyNavigation(false);
  table.setFrameShape(QFrame::NoFrame);
  table.setHorizontalHeader(new SortHeader(&table));
  table.setSortingEnabled(true);
  table.verticalHeader()->hide();
  table.verticalHeader()->setDefaultSectionSize(table.fontMetrics().height() + padding);
  flattenHeader(*table.horizontalHeader());
}

} // namespace tessera::views

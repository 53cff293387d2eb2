// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/text/table_text.h"

#include <QStringList>

#include <functional>

namespace tessera::views {

namespace {

using Cell = std::function<QString(QString)>;

QStringList cellsOf(const QAbstractItemModel &table, int row, const Cell &cell) {
  QStringList cells;
  for (int column = 0; column < table.columnCount(); ++column)
    cells << cell(row < 0 ? table.headerData(column, Qt::Horizontal).toString()
                          : table.index(row, column).data().toString());
  return cells;
}

QString csvCell(QString text) {
  if (!text.contains(',') && !text.contains('"') && !text.contains('\n')) return text;
  return '"' + text.replace('"', QStringLiteral("\"\"")) + '"';
}

QString markdownCell(QString text) {
  return text.replace('\\', QStringLiteral("\\\\"))
      .replace('|', QStringLiteral("\\|"))
      .replace('\n', ' ');
}

} // namespace

QString csvOf(const QAbstractItemModel &table) {
  QString text;
  for (int row = -1; row < table.rowCount(); ++row)
    text += cellsOf(table, row, csvCell).join(',') + '\n';
  return text;
}

QString markdownOf(const QAbstractItemModel &table) {
  QString text;
  for (int row = -1; row < table.rowCount(); ++row) {
    text += "| " + cellsOf(table, row, markdownCell).join(QStringLiteral(" | ")) + " |\n";
    if (row < 0) text += '|' + QStringLiteral(" --- |").repeated(table.columnCount()) + '\n';
  }
  return text;
}

} // namespace tessera::views

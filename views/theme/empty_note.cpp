// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/theme/empty_note.h"

#include <QEvent>
#include <QHeaderView>
#include <QTableView>

namespace tessera::views {

namespace {
constexpr int kMargin = 16;
} // namespace

EmptyNote::EmptyNote(QTableView &table, const QString &text)
    : QLabel(text, table.viewport()), m_table(table) {
  setObjectName(QStringLiteral("emptyNote"));
  setAccessibleName(tr("Why this is empty"));
  setAlignment(Qt::AlignCenter);
  setWordWrap(true);
  setMargin(kMargin);
  setForegroundRole(QPalette::PlaceholderText);
  setAttribute(Qt::WA_TransparentForMouseEvents);
  table.viewport()->installEventFilter(this);
  const QAbstractItemModel &model = *table.model();
  connect(&model, &QAbstractItemModel::modelReset, this, &EmptyNote::refresh);
  connect(&model, &QAbstractItemModel::rowsInserted, this, &EmptyNote::refresh);
  connect(&model, &QAbstractItemModel::rowsRemoved, this, &EmptyNote::refresh);
  connect(&model, &QAbstractItemModel::layoutChanged, this, &EmptyNote::refresh);
  refresh();
}

void EmptyNote::refresh() {
  const bool isEmpty = m_table.model()->rowCount() == 0;
  m_table.horizontalHeader()->setVisible(!isEmpty);
  setVisible(isEmpty);
  setGeometry(m_table.viewport()->rect());
}

bool EmptyNote::eventFilter(QObject *watched, QEvent *event) {
  if (watched == m_table.viewport() && event->type() == QEvent::Resize)
    setGeometry(m_table.viewport()->rect());
  return QLabel::eventFilter(watched, event);
}

} // namespace tessera::views

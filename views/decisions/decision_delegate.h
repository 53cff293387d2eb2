// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace tessera::views {

// Draws a decision with its marks: a lock if it is frozen (a half-open one if only partly), a
// pencil if the user decided it, a tray if it was imported, and a bar at the left if it differs
// from the compared schedule.
class DecisionDelegate : public QStyledItemDelegate {
  Q_OBJECT
public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter *painter, const QStyleOptionViewItem &option,
             const QModelIndex &index) const override;
  QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;

  // The area of a cell where a click freezes or unfreezes.
  static QRect lockRect(const QRect &cell);
};

} // namespace tessera::views

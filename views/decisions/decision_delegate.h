// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace tessera::views {

// A decision with its marks: a lock where it is frozen (an open half of one where partly), a pencil
// where the user decided, a tray where it was imported; a bar at the left where it differs from
// what it is compared with.
class DecisionDelegate : public QStyledItemDelegate {
  Q_OBJECT
public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter *painter, const QStyleOptionViewItem &option,
             const QModelIndex &index) const override;
  QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;

  // Where a click freezes or unfreezes.
  static QRect lockRect(const QRect &cell);
};

} // namespace tessera::views

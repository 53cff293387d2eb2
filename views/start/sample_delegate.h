// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace tessera::views {

// Draws a sample as a card with its name, number of stages and one sentence.
class SampleDelegate : public QStyledItemDelegate {
  Q_OBJECT
public:
  static constexpr int kWidth = 292;
  static constexpr int kHeight = 92;

  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter *painter, const QStyleOptionViewItem &option,
             const QModelIndex &index) const override;
  QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
};

} // namespace tessera::views

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace tessera::views {

// Draws the measurement of the shown schedule in bold, stale ones pale and in italics, and
// unchecked or wrong ones in the warning colour. The column of states says the same in words.
class MeasurementDelegate : public QStyledItemDelegate {
  Q_OBJECT
public:
  using QStyledItemDelegate::QStyledItemDelegate;

protected:
  void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override;
};

} // namespace tessera::views

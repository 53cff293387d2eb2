// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/measurements/measurement_delegate.h"

#include "views/tables/measurement_model.h"
#include "views/theme/theme.h"

namespace tessera::views {

void MeasurementDelegate::initStyleOption(QStyleOptionViewItem *option,
                                          const QModelIndex &index) const {
  QStyledItemDelegate::initStyleOption(option, index);
  const Colors colors(option->palette);
  if (index.data(MeasurementModel::CurrentRole).toBool() &&
      index.column() == MeasurementModel::Candidate)
    option->font.setBold(true);
  if (index.data(MeasurementModel::EarlierRole).toBool())
    option->palette.setColor(QPalette::Text, colors.faintText);
  if (index.data(MeasurementModel::StaleRole).toBool()) {
    option->font.setItalic(true);
    option->palette.setColor(QPalette::Text, colors.faintText);
  }
  if (!index.data(MeasurementModel::CheckedRole).toBool())
    option->palette.setColor(QPalette::Text, index.data(MeasurementModel::WrongRole).toBool()
                                                 ? colors.error
                                                 : colors.warning);
}

} // namespace tessera::views

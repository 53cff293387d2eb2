// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/decisions/choice_delegate.h"

#include "views/tables/choice_model.h"
#include "views/theme/theme.h"

namespace tessera::views {

void ChoiceDelegate::initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const {
  QStyledItemDelegate::initStyleOption(option, index);
  const Colors colors(option->palette);
  if (index.column() == ChoiceModel::Decision || index.column() == ChoiceModel::Predicted)
    option->palette.setColor(QPalette::Text, colors.faintText);
  if (index.column() != ChoiceModel::Change) return;
  const int faster = index.data(ChoiceModel::FasterRole).toInt();
  option->palette.setColor(QPalette::Text, faster > 0   ? colors.success
                                           : faster < 0 ? colors.error
                                                        : colors.faintText);
}

} // namespace tessera::views

// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/decisions/decision_delegate.h"

#include "views/tables/decision_model.h"
#include "views/theme/icons.h"
#include "views/theme/theme.h"

#include <QApplication>
#include <QPainter>

namespace tessera::views {

namespace {

constexpr int kMark = 13, kMargin = 6, kGap = 3, kBar = 3;

QString originIcon(schedule::Origin origin) {
  switch (origin) {
  case schedule::Origin::User:
    return QStringLiteral("pencil");
  case schedule::Origin::Imported:
    return QStringLiteral("import");
  case schedule::Origin::Search:
    break;
  }
  return {};
}

void paintMark(QPainter &painter, const QString &name, const QColor &color, const QRect &where) {
  const double ratio = painter.device()->devicePixelRatioF();
  painter.drawPixmap(where.topLeft(), iconPixmap(name, color, where.width(), ratio));
}

} // namespace

QRect DecisionDelegate::lockRect(const QRect &cell) {
  return {cell.right() - kMargin - kMark + 1, cell.center().y() - kMark / 2, kMark, kMark};
}

void DecisionDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option,
                             const QModelIndex &index) const {
  QStyleOptionViewItem view = option;
  initStyleOption(&view, index);
  const Colors colors(view.palette);
  const QStyle *style = view.widget ? view.widget->style() : QApplication::style();
  const bool isSelected = view.state & QStyle::State_Selected;
  if (index.data(DecisionModel::DifferentRole).toBool() && !isSelected)
    view.backgroundBrush = mix(colors.canvas, colors.warning, colors.dark ? 0.20 : 0.13);
  style->drawPrimitive(QStyle::PE_PanelItemViewItem, &view, painter, view.widget);
  if (index.data(DecisionModel::DifferentRole).toBool())
    painter->fillRect(QRect(view.rect.left(), view.rect.top() + 1, kBar, view.rect.height() - 2),
                      colors.warning);

  const auto group = view.state & QStyle::State_Active ? QPalette::Active : QPalette::Inactive;
  const bool isStage = index.column() == DecisionModel::kStageColumn;
  const QColor text =
      view.palette.color(group, isSelected ? QPalette::HighlightedText : QPalette::Text);
  QRect rest = view.rect.adjusted(kBar + 1, 0, -kMargin, 0);
  QRect mark = lockRect(view.rect);
  const auto frozen = DecisionModel::Frozen(index.data(DecisionModel::FrozenRole).toInt());
  if (frozen != DecisionModel::Frozen::No) {
    paintMark(*painter,
              frozen == DecisionModel::Frozen::Yes ? QStringLiteral("lock")
                                                   : QStringLiteral("lock-partly"),
              isSelected ? text : colors.accent, mark);
    rest.setRight(mark.left() - kGap);
    mark.translate(-kMark - kGap, 0);
  }
  const QString origin =
      originIcon(schedule::Origin(index.data(DecisionModel::OriginRole).toInt()));
  if (!origin.isEmpty() && !isStage && index.data(DecisionModel::DecidesRole).toBool()) {
    paintMark(*painter, origin, isSelected ? text : colors.faintText, mark);
    rest.setRight(mark.left() - kGap);
  }
  if (const int kernel = isStage ? index.data(DecisionModel::KernelRole).toInt() : 0) {
    const QRect chip(rest.left(), rest.center().y() - 7, 16, 15);
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    const QColor fill = colors.kernelBlock(index.data(DecisionModel::ColourRole).toInt());
    painter->setBrush(fill);
    painter->drawRoundedRect(chip, 3, 3);
    painter->setPen(colors.onTop(fill));
    QFont small = view.font;
    small.setPointSizeF(small.pointSizeF() * 0.8);
    painter->setFont(small);
    painter->drawText(chip, Qt::AlignCenter, QString::number(kernel));
    painter->setRenderHint(QPainter::Antialiasing, false);
  }
  if (isStage) rest.setLeft(rest.left() + 22);
  const bool isFaint = !isSelected && !isStage && view.text == QLatin1String("auto");
  painter->setPen(isFaint ? colors.faintText : text);
  painter->setFont(view.font);
  const auto draw = [&](const QString &what) {
    painter->drawText(rest, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                      view.fontMetrics.elidedText(what, Qt::ElideRight, rest.width()));
  };
  // The value of the compared schedule is fainter than the own one in front of it.
  const QString own = index.data(DecisionModel::OwnTextRole).toString();
  const bool hasBoth = !isStage && !own.isEmpty() && view.text.size() > own.size() &&
                       view.text.startsWith(own) && !isSelected;
  draw(hasBoth ? own : view.text);
  if (hasBoth) {
    rest.setLeft(qMin(rest.right(), rest.left() + view.fontMetrics.horizontalAdvance(own)));
    painter->setPen(colors.faintText);
    draw(view.text.mid(own.size()));
  }
  if (view.state & QStyle::State_HasFocus) {
    QStyleOptionFocusRect focus;
    focus.QStyleOption::operator=(view);
    focus.rect = view.rect.adjusted(0, 0, -1, -1);
    style->drawPrimitive(QStyle::PE_FrameFocusRect, &focus, painter, view.widget);
  }
}

QSize DecisionDelegate::sizeHint(const QStyleOptionViewItem &option,
                                 const QModelIndex &index) const {
  QSize size = QStyledItemDelegate::sizeHint(option, index);
  size.rwidth() += 2 * (kMark + kGap) + kBar + kMargin;
  if (index.column() == DecisionModel::kStageColumn) size.rwidth() += 22;
  return size;
}

} // namespace tessera::views

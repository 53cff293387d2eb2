// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/kernels/kernel_table.h"

#include "views/theme/table_look.h"
#include "views/theme/theme.h"

#include <QAction>
#include <QHeaderView>
#include <QPainter>
#include <QScopedValueRollback>
#include <QStyledItemDelegate>

namespace tessera::views {

namespace {

constexpr int kNumberColumn = 0, kNameColumn = 1;

// Paints a kernel's number on the colour of the kernel's nodes.
class NumberDelegate : public QStyledItemDelegate {
public:
  NumberDelegate(const ShownKernels &kernels, QObject *parent)
      : QStyledItemDelegate(parent), m_kernels(kernels) {}

  void paint(QPainter *painter, const QStyleOptionViewItem &option,
             const QModelIndex &index) const override {
    QStyleOptionViewItem view = option;
    initStyleOption(&view, index);
    const QString number = std::exchange(view.text, {});
    view.widget->style()->drawControl(QStyle::CE_ItemViewItem, &view, painter, view.widget);
    const Colors colors(view.palette);
    const int width = qMax(20, view.fontMetrics.horizontalAdvance(number) + 10);
    QRectF chip(0, 0, width, view.fontMetrics.height());
    chip.moveCenter(QRectF(view.rect).center());
    const ShownSchedulePtr &shown = m_kernels.schedule();
    const QColor fill = colors.kernelFill(shown ? shown->colourOf(number.toInt()) : 0);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(fill);
    painter->drawRoundedRect(chip, 4, 4);
    painter->setPen(colors.onTop(fill));
    painter->drawText(chip, Qt::AlignCenter, number);
    painter->restore();
  }

private:
  const ShownKernels &m_kernels;
};

} // namespace

KernelTable::KernelTable(ShownKernels &kernels, QAbstractItemModel &model, int sortRole,
                         int differentRole, QWidget *parent)
    : QTableView(parent), m_kernels(kernels), m_proxy(differentRole) {
  m_proxy.setSourceModel(&model);
  m_proxy.setSortRole(sortRole);
  setModel(&m_proxy);
  setItemDelegateForColumn(kNumberColumn, new NumberDelegate(m_kernels, this));
  setSelectionBehavior(SelectRows);
  setSelectionMode(SingleSelection);
  makeReadable(*this, 8);
  setHorizontalScrollMode(ScrollPerPixel);
  sortByColumn(kNumberColumn, Qt::AscendingOrder);
  horizontalHeader()->setStretchLastSection(true);
  // A click on the row that is current already does not call currentChanged(). It is handled here,
  // because the stages of that row may not be selected yet.
  connect(this, &QTableView::clicked, this, &KernelTable::chooseRow);
  connect(this, &QTableView::activated, this, &KernelTable::chooseRow);
  connect(&m_kernels, &ShownKernels::currentChanged, this, &KernelTable::showCurrent);
  if (differentRole >= 0) offerComparison();
}

void KernelTable::offerComparison() {
  m_onlyDifferent = new QAction(tr("Only &Differences"), this);
  m_onlyDifferent->setCheckable(true);
  setContextMenuPolicy(Qt::ActionsContextMenu);
  addAction(m_onlyDifferent);
  connect(m_onlyDifferent, &QAction::toggled, this, [this](bool isWanted) {
    emit comparisonWanted(isWanted);
    m_proxy.setOnlyDifferent(isWanted);
    refresh();
  });
  const auto offer = [this] {
    const std::vector<ComparedSchedule> compared = m_kernels.compared();
    m_onlyDifferent->setEnabled(!compared.empty());
    m_onlyDifferent->setText(compared.empty()
                                 ? tr("Only &Differences")
                                 : tr("Only &Differences from the Schedule “%1”, with Both Values")
                                       .arg(compared.front().title));
    if (compared.empty()) m_onlyDifferent->setChecked(false);
  };
  connect(&m_kernels, &ShownKernels::changed, this, offer);
  offer();
}

void KernelTable::refresh() {
  for (int column = 0; column < m_proxy.columnCount(); ++column)
    if (!isColumnHidden(column))
      setColumnWidth(
          column, qBound(40, contentWidth(*this, column) + 4, column == kNameColumn ? 170 : 120));
  showCurrent();
}

void KernelTable::currentChanged(const QModelIndex &current, const QModelIndex &previous) {
  QTableView::currentChanged(current, previous);
  if (!m_following && current.isValid()) chooseRow(current);
}

void KernelTable::chooseRow(const QModelIndex &index) {
  m_kernels.select(m_proxy.mapToSource(index).row());
}

void KernelTable::showCurrent() {
  const QScopedValueRollback following(m_following, true);
  const int number = m_kernels.current();
  const QModelIndex source = m_proxy.sourceModel()->index(number, 0);
  if (number < 0 || !source.isValid()) return clearSelection();
  const QModelIndex row = m_proxy.mapFromSource(source);
  if (row.row() != currentIndex().row() || !selectionModel()->isRowSelected(row.row()))
    selectRow(row.row());
  scrollTo(row);
}

} // namespace tessera::views

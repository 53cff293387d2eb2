// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/stages/stage_panel.h"

#include "views/stages/stage_delegate.h"
#include "views/theme/empty_note.h"
#include "views/theme/table_look.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <QScopedValueRollback>

namespace tessera::views {

StagePanel::StagePanel(Selection &selection, QWidget *parent)
    : QWidget(parent), m_selection(selection), m_filter(new QLineEdit(this)),
      m_count(new QLabel(this)), m_table(new QTableView(this)),
      m_onlyDifferent(new QToolButton(this)) {
  setAccessibleName(tr("Stages"));
  m_filter->setObjectName(QStringLiteral("stageFilter"));
  m_filter->setAccessibleName(tr("Filter stages"));
  m_filter->setPlaceholderText(tr("Filter by name, kind or type"));
  m_filter->setClearButtonEnabled(true);
  m_count->setAccessibleName(tr("Number of stages shown"));
  m_count->setForegroundRole(QPalette::PlaceholderText);

  m_proxy.setSourceModel(&m_model);
  m_proxy.setSortRole(StageTableModel::SortRole);
  m_proxy.setFilterKeyColumn(-1);
  m_proxy.setFilterCaseSensitivity(Qt::CaseInsensitive);

  m_table->setObjectName(QStringLiteral("stageTable"));
  m_table->setAccessibleName(tr("Stages"));
  m_table->setModel(&m_proxy);
  m_table->setItemDelegate(new StageDelegate(m_table));
  m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
  makeReadable(*m_table, 8);
  m_table->sortByColumn(StageTableModel::Name, Qt::AscendingOrder);
  m_table->horizontalHeader()->setStretchLastSection(true);
  // The mark before the name shows the kind already; the extents have to be in view.
  m_table->horizontalHeader()->moveSection(StageTableModel::Kind, StageTableModel::Extents);
  m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  m_table->setColumnHidden(StageTableModel::Measured, true);
  new EmptyNote(*m_table, tr("No stage has this text in its name, kind or type."));
  m_table->viewport()->setMouseTracking(true);
  m_table->viewport()->installEventFilter(this);

  m_onlyDifferent->setObjectName(QStringLiteral("onlyDifferentStages"));
  m_onlyDifferent->setText(tr("Only differences"));
  m_onlyDifferent->setAccessibleName(tr("Only differences"));
  m_onlyDifferent->setCheckable(true);
  m_onlyDifferent->hide();
  connect(m_onlyDifferent, &QToolButton::toggled, this, &StagePanel::compare);
  auto *row = new QHBoxLayout;
  row->setContentsMargins(8, 6, 10, 6);
  row->setSpacing(10);
  row->addWidget(m_filter, 1);
  row->addWidget(m_onlyDifferent);
  row->addWidget(m_count);
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addLayout(row);
  layout->addWidget(m_table);

  connect(m_filter, &QLineEdit::textChanged, this, [this](const QString &text) {
    m_proxy.setFilterFixedString(text);
    updateCount();
    selectionChanged(Selection::SelectedChanged);
  });
  connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
          &StagePanel::tableSelectionChanged);
  connect(m_table, &QTableView::entered, this, [this](const QModelIndex &index) {
    m_selection.hover(m_model.subjectAt(m_proxy.mapToSource(index).row()));
  });
  connect(&m_selection, &Selection::changed, this, &StagePanel::selectionChanged);
}

void StagePanel::setPipeline(pipeline::PipelinePtr pipeline) {
  const QScopedValueRollback following(m_following, true);
  m_model.setPipeline(std::move(pipeline));
  fitColumns(0, StageTableModel::ColumnCount - 1);
  updateCount();
}

void StagePanel::showSchedule(ShownSchedulePtr schedule) {
  if (schedule == m_model.schedule()) return;
  const QScopedValueRollback following(m_following, true);
  m_model.setSchedule(std::move(schedule));
  fitColumns(StageTableModel::Kernel, StageTableModel::Predicted);
  updateCount(); // the new data may change which rows the filter accepts
}

void StagePanel::setCompared(ShownSchedulePtr other, const QString &title) {
  m_other = std::move(other);
  m_onlyDifferent->setVisible(m_other != nullptr);
  m_onlyDifferent->setToolTip(
      tr("Show only the stages whose kernel or time differs from that in “%1”. Cells show the "
         "current schedule's value ≠ the value in “%1”")
          .arg(title));
  if (!m_other) m_onlyDifferent->setChecked(false);
  compare();
}

void StagePanel::compare() {
  const bool isWanted = m_other && m_onlyDifferent->isChecked();
  if (!isWanted && !m_proxy.isOnlyDifferent()) return;
  const QScopedValueRollback following(m_following, true);
  m_model.setCompared(isWanted ? m_other : nullptr);
  m_proxy.setOnlyDifferent(isWanted);
  fitColumns(StageTableModel::Kernel, StageTableModel::Predicted);
  updateCount();
}

// The column is hidden if it would be empty.
void StagePanel::showMeasured(std::vector<std::optional<double>> seconds) {
  const QScopedValueRollback following(m_following, true);
  m_table->setColumnHidden(StageTableModel::Measured, seconds.empty());
  m_model.setMeasured(std::move(seconds));
  if (!m_table->isColumnHidden(StageTableModel::Measured))
    fitColumns(StageTableModel::Measured, StageTableModel::Measured);
}

void StagePanel::fitColumns(int first, int last) {
  for (int column = first; column <= last; ++column)
    m_table->setColumnWidth(column, qBound(46, contentWidth(*m_table, column) + 6, 210));
}

bool StagePanel::eventFilter(QObject *watched, QEvent *event) {
  if (event->type() == QEvent::Leave) m_selection.hover({});
  return QWidget::eventFilter(watched, event);
}

void StagePanel::tableSelectionChanged() {
  if (m_following) return;
  std::vector<Subject> subjects;
  for (const QModelIndex &index : m_table->selectionModel()->selectedRows())
    subjects.push_back(m_model.subjectAt(m_proxy.mapToSource(index).row()));
  std::optional<Subject> active;
  if (const QModelIndex current = m_table->currentIndex();
      current.isValid() && m_table->selectionModel()->isRowSelected(current.row()))
    active = m_model.subjectAt(m_proxy.mapToSource(current).row());
  m_selection.selectAll(std::move(subjects), active);
}

void StagePanel::selectionChanged(Selection::Changes changes) {
  if (!(changes & (Selection::SelectedChanged | Selection::ActiveChanged))) return;
  const QScopedValueRollback following(m_following, true);
  QItemSelection rows;
  QModelIndex current;
  for (const Subject subject : m_selection.selected()) {
    const auto row = m_model.rowOf(subject);
    if (!row) continue;
    const QModelIndex index = m_proxy.mapFromSource(m_model.index(*row, 0));
    if (!index.isValid()) continue;
    rows.select(index, index.siblingAtColumn(StageTableModel::ColumnCount - 1));
    if (m_selection.active() == subject) current = index;
  }
  m_table->selectionModel()->select(rows, QItemSelectionModel::ClearAndSelect);
  if (!current.isValid()) return;
  if (m_table->currentIndex().row() != current.row())
    m_table->selectionModel()->setCurrentIndex(current, QItemSelectionModel::NoUpdate);
  m_table->scrollTo(current);
}

void StagePanel::updateCount() {
  const int shown = m_proxy.rowCount(), all = m_model.rowCount();
  m_count->setText(shown != all ? tr("%1 of %2").arg(shown).arg(all)
                   : all == 1   ? tr("1 row")
                                : tr("%n rows", nullptr, all));
}

} // namespace tessera::views

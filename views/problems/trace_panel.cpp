// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/problems/trace_panel.h"

#include "views/theme/empty_note.h"
#include "views/theme/table_export_button.h"
#include "views/theme/table_look.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace tessera::views {

TracePanel::TracePanel(ScheduleFlow &schedule, Selection &selection, QWidget *parent)
    : QWidget(parent), m_selection(selection), m_filter(new QLineEdit(this)),
      m_outcomes(new QComboBox(this)), m_count(new QLabel(this)), m_table(new QTableView(this)) {
  setObjectName(QStringLiteral("trace"));
  setAccessibleName(tr("Search"));
  m_filter->setObjectName(QStringLiteral("traceFilter"));
  m_filter->setAccessibleName(tr("Filter the steps of the search"));
  m_filter->setPlaceholderText(tr("Filter by phase, func or reason"));
  m_filter->setClearButtonEnabled(true);
  m_outcomes->setObjectName(QStringLiteral("traceOutcomes"));
  m_outcomes->setAccessibleName(tr("Outcomes that are shown"));
  m_outcomes->addItem(tr("All steps"));
  using Outcome = search::TraceOutcome;
  for (const Outcome outcome : {Outcome::Taken, Outcome::Refused, Outcome::Frozen, Outcome::Tried})
    m_outcomes->addItem(outcomeText(outcome), static_cast<int>(outcome));
  m_count->setAccessibleName(tr("Number of steps shown"));
  m_count->setForegroundRole(QPalette::PlaceholderText);
  buildTable();
  auto *save = new TableExportButton(m_proxy, QStringLiteral("search"), this);
  connect(save, &TableExportButton::told, this, &TracePanel::told);

  auto *row = new QHBoxLayout;
  row->setContentsMargins(8, 6, 10, 6);
  row->setSpacing(10);
  row->addWidget(m_filter, 1);
  row->addWidget(m_outcomes);
  row->addWidget(m_count);
  row->addWidget(save);
  auto *column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(row);
  column->addWidget(m_table, 1);
  setFocusProxy(m_table);

  connect(m_filter, &QLineEdit::textChanged, this, [this](const QString &text) {
    m_proxy.setFilterFixedString(text);
    updateCount();
  });
  connect(m_outcomes, &QComboBox::currentIndexChanged, this, [this] {
    const QVariant outcome = m_outcomes->currentData();
    m_proxy.setOutcome(outcome.isValid() ? std::optional(static_cast<Outcome>(outcome.toInt()))
                                         : std::nullopt);
    updateCount();
  });
  follow(schedule);
  updateCount();
}

// Columns have fixed widths: measuring the texts of ten thousand rows would take a while.
void TracePanel::buildTable() {
  m_proxy.setSourceModel(&m_model);
  m_table->setObjectName(QStringLiteral("traceTable"));
  m_table->setAccessibleName(tr("Steps of the search"));
  m_table->setModel(&m_proxy);
  m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
  makeReadable(*m_table, 8);
  m_table->sortByColumn(TraceModel::Step, Qt::AscendingOrder);
  m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  m_table->horizontalHeader()->setStretchLastSection(true);
  const int digit = fontMetrics().averageCharWidth();
  for (const auto &[column, digits] : {std::pair(TraceModel::Step, 8),
                                       {TraceModel::Phase, 18},
                                       {TraceModel::What, 34},
                                       {TraceModel::Funcs, 30},
                                       {TraceModel::Cost, 13},
                                       {TraceModel::Benefit, 15},
                                       {TraceModel::Outcome, 12}})
    m_table->setColumnWidth(column, digit * digits);
  new EmptyNote(*m_table, tr("No steps are shown.\nAfter a search, what it decided and tried is "
                             "listed here, with its costs and why it was refused."));
  connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
          &TracePanel::selectFuncs);
}

// A search that was stopped tells nothing, so the steps of an earlier one go when it starts.
void TracePanel::follow(ScheduleFlow &schedule) {
  connect(&schedule, &ScheduleFlow::found, this, [this](const SearchResult &result) {
    showTrace(result.best->found.trace, result.best->found.schedule.base());
  });
  connect(&schedule, &ScheduleFlow::stateChanged, this, [this, &schedule] {
    if (m_model.trace() && (schedule.isRunning() || !schedule.hasPipeline()))
      showTrace(nullptr, nullptr);
  });
}

void TracePanel::showTrace(TracePtr trace, pipeline::PipelinePtr pipeline) {
  m_model.setTrace(std::move(trace), std::move(pipeline));
  updateCount();
}

void TracePanel::selectFuncs() {
  std::vector<Subject> subjects;
  for (const QModelIndex &index : m_table->selectionModel()->selectedRows())
    for (const Subject subject : m_model.subjectsAt(m_proxy.mapToSource(index).row()))
      if (std::ranges::find(subjects, subject) == subjects.end()) subjects.push_back(subject);
  if (subjects.empty()) return;
  const Subject active = subjects.front();
  m_selection.selectAll(std::move(subjects), active);
}

QString TracePanel::countText() const { return m_count->text(); }

void TracePanel::updateCount() {
  const int shown = m_proxy.rowCount(), all = m_model.rowCount();
  QString text = shown != all ? tr("%1 of %2").arg(shown).arg(all)
                 : all == 1   ? tr("1 step")
                              : tr("%n steps", nullptr, all);
  const std::size_t leftOut = m_model.trace() ? m_model.trace()->leftOut : 0;
  if (leftOut > 0) text = tr("%1, %2 more left out").arg(text).arg(leftOut);
  m_count->setText(text);
}

} // namespace tessera::views

// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/occupancy/occupancy_panel.h"

#include "views/kernels/empty_page.h"
#include "views/kernels/kernel_table.h"
#include "views/text/counted_text.h"
#include "views/text/stage_summary.h"
#include "views/theme/wrapped_label.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QSplitter>
#include <QVBoxLayout>

#include <cmath>

namespace tessera::views {

using machine::BlockUse;
using machine::Occupancy;

namespace {

QString blockText(const BlockUse &use) {
  if (use.sharedBytes == 0)
    return OccupancyPanel::tr("%1 threads, %2 registers per thread, no shared memory")
        .arg(countText(use.threads), countText(use.registers));
  return OccupancyPanel::tr("%1 threads, %2 registers per thread, %3 of shared memory")
      .arg(countText(use.threads), countText(use.registers), bytesText(use.sharedBytes));
}

} // namespace

OccupancyPanel::OccupancyPanel(ShownKernels &kernels, QWidget *parent)
    : QStackedWidget(parent), m_kernels(kernels), m_model(kernels) {
  setAccessibleName(tr("Occupancy"));
  m_empty = emptyPage(*this);
  m_page = new QWidget(this);
  m_page->setAutoFillBackground(true);
  m_page->setBackgroundRole(QPalette::Base);
  addWidget(m_page);

  m_table = new KernelTable(m_kernels, m_model, OccupancyTableModel::SortRole,
                            OccupancyTableModel::DifferentRole, m_page);
  connect(m_table, &KernelTable::comparisonWanted, this,
          [this](bool compares) { m_model.setCompares(compares); });
  m_table->setObjectName(QStringLiteral("occupancyTable"));
  m_table->setAccessibleName(tr("Occupancy of each kernel"));
  m_answer = new WrappedLabel(m_page);
  m_answer->setObjectName(QStringLiteral("occupancyAnswer"));
  m_answer->setAccessibleName(tr("Occupancy of the current kernel"));
  m_whatIf = new WrappedLabel(m_page);
  m_whatIf->setObjectName(QStringLiteral("occupancyWhatIf"));
  m_whatIf->setAccessibleName(tr("What if"));
  m_reset = new QPushButton(tr("&Reset"), m_page);
  m_reset->setObjectName(QStringLiteral("occupancyReset"));
  m_reset->setAccessibleName(tr("Go back to the schedule's block"));
  m_reset->setToolTip(tr("Go back to the schedule's values (Esc)"));

  m_assemble = new QPushButton(tr("Ask &ptxas"), m_page);
  m_assemble->setObjectName(QStringLiteral("occupancyAssemble"));
  m_assemble->setToolTip(
      tr("Compile the schedule, and use the registers that ptxas reports for its kernels"));
  connect(m_assemble, &QPushButton::clicked, this, &OccupancyPanel::assemblerWanted);

  QWidget *charts = buildCharts();
  auto *split = new QSplitter(Qt::Vertical, m_page);
  split->setChildrenCollapsible(false);
  split->addWidget(m_table);
  split->addWidget(charts);
  split->setStretchFactor(0, 1);
  split->setStretchFactor(1, 2);
  split->setSizes({120, 260});
  auto *whole = new QVBoxLayout(m_page);
  whole->setContentsMargins(0, 0, 0, 0);
  whole->addWidget(split);

  connect(m_reset, &QPushButton::clicked, this, &OccupancyPanel::reset);
  connect(&m_kernels, &ShownKernels::changed, &m_refresh, &SeenRefresh::request);
  connect(&m_kernels, &ShownKernels::currentChanged, this, &OccupancyPanel::kernelChanged);
  m_refresh.now();
}

QWidget *OccupancyPanel::buildCharts() {
  auto *charts = new QWidget(m_page);
  auto *row = new QHBoxLayout;
  row->setSpacing(4);
  for (int i = 0; i < kBlockNumbers; ++i) {
    auto *chart = new CurveChart(BlockNumber(i), charts);
    chart->setObjectName(QStringLiteral("occupancyCurve%1").arg(i));
    connect(chart, &CurveChart::asked, this, &OccupancyPanel::ask);
    connect(chart, &CurveChart::told, this, &OccupancyPanel::told);
    m_charts[static_cast<std::size_t>(i)] = chart;
    row->addWidget(chart, 1);
  }
  auto *asking = new QHBoxLayout;
  asking->addWidget(m_whatIf, 1);
  asking->addWidget(m_assemble);
  asking->addWidget(m_reset);
  auto *column = new QVBoxLayout(charts);
  column->setContentsMargins(10, 8, 8, 6);
  column->addWidget(m_answer);
  column->addLayout(row, 1);
  column->addLayout(asking);
  return charts;
}

void OccupancyPanel::refresh() {
  m_model.reload();
  m_table->setColumnHidden(OccupancyTableModel::Achieved, !m_model.hasAchieved());
  m_table->refresh();
  m_kernel = -1;
  m_empty->setText(emptyText(m_kernels));
  setCurrentWidget(m_kernels.count() ? m_page : m_empty->parentWidget());
  kernelChanged();
}

// If the new selection means the same kernel, the what-if question stays.
void OccupancyPanel::kernelChanged() {
  if (m_refresh.isStale()) return;
  const int kernel = m_kernels.current();
  if (kernel == m_kernel) return;
  m_kernel = kernel;
  if (kernel < 0) {
    for (CurveChart *chart : m_charts)
      chart->clear();
    return;
  }
  m_actual = blockUse(m_kernels, kernel);
  reset();
}

void OccupancyPanel::ask(BlockNumber number, std::int64_t value) {
  m_asked = with(m_asked, number, value);
  showAnswer();
}

void OccupancyPanel::reset() {
  m_asked = m_actual;
  showAnswer();
}

// The occupancy that the hardware counters gave, or why there is none.
QString OccupancyPanel::achievedText() const {
  if (const bench::KernelCounters *counted = m_kernels.counted(m_kernel);
      counted && counted->occupancy)
    return tr("Achieved: <b>%1</b>.").arg(percentText(*counted->occupancy));
  const measure::KeptMeasurement *measurement = m_kernels.measurement();
  if (!measurement || !measurement->counters) return {};
  return measurement->counters->refused.empty()
             ? tr("The hardware counters gave no achieved occupancy for this kernel.")
             : tr("The kernels were not counted: %1")
                   .arg(QString::fromStdString(measurement->counters->refused).toHtmlEscaped());
}

void OccupancyPanel::showAnswer() {
  if (m_kernel < 0) return;
  const machine::Machine &machine = m_kernels.facts().machine;
  for (CurveChart *chart : m_charts)
    chart->show(machine, m_actual, m_asked);
  const Occupancy now = occupancy(machine, m_actual), then = occupancy(machine, m_asked);
  const QString spill = spillText(m_kernels, m_kernel);
  m_answer->setText(
      tr("<b>%1 %2</b>: <b>%3</b>, %4 of %5 warps in %6 of %7. Limited by <b>%8</b>%9. ")
          .arg(countText(m_kernel + 1), m_kernels.name(m_kernel).toHtmlEscaped(),
               percentText(now.fraction), countText(now.warps),
               countText(machine.sm.threads / machine.limits.warpSize), blocksText(now.blocks),
               blockText(m_actual), resourceText(now.limiting),
               m_kernels.assembled(m_kernel) ? tr(", with registers from ptxas") : QString()) +
      (spill.isEmpty() ? QString() : spill + QStringLiteral(". ")) + achievedText());
  const auto assembled = m_kernels.assembled(m_kernel);
  m_assemble->setEnabled(!m_kernels.isCompiled());
  m_assemble->setText(m_kernels.isCompiled() && !assembled ? tr("No ptxas found")
                                                           : tr("Ask &ptxas"));
  const QString registers = assembled
                                ? tr("The number of registers is from ptxas; the estimate was %1.")
                                      .arg(countText(m_kernels.kernel(m_kernel).time.registers))
                                : tr("The number of registers is estimated by the cost model.");
  m_answer->setToolTip(tr("Theoretical occupancy: resident warps × %1, divided by the %2 threads "
                          "that a multiprocessor of %3 can hold.\n%4")
                           .arg(countText(machine.limits.warpSize), countText(machine.sm.threads),
                                QString::fromStdString(machine.title), registers));
  const bool isAsked = !(m_asked == m_actual);
  m_reset->setEnabled(isAsked);
  if (!isAsked)
    return m_whatIf->setText(tr("Drag a point, or use the arrow keys, to try other values."));
  const double more = then.fraction - now.fraction;
  // In percentage points: from 50 % to 75 % are 25 points, but a relative change of 50 %.
  const QString change = more == 0 ? tr("unchanged")
                                   : (more > 0 ? tr("+%1 points") : tr("−%1 points"))
                                         .arg(QLocale().toString(std::abs(more) * 100, 'f', 1));
  m_whatIf->setText(then.blocks
                        ? tr("With %1: <b>%2</b> (%3), %4, limited by %5.")
                              .arg(blockText(m_asked), percentText(then.fraction), change,
                                   blocksText(then.blocks), resourceText(then.limiting))
                        : tr("With %1, the kernel <b>cannot be launched</b>: not enough %2.")
                              .arg(blockText(m_asked), resourceText(then.limiting)));
}

void OccupancyPanel::keyPressEvent(QKeyEvent *event) {
  if (event->key() == Qt::Key_Escape && !(m_asked == m_actual)) return reset();
  QStackedWidget::keyPressEvent(event);
}

} // namespace tessera::views

// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/measurements/measurement_panel.h"

#include "views/measurements/measurement_delegate.h"
#include "engine/pipeline/stage_names.h"
#include "views/kernels/empty_page.h"
#include "views/text/measurement_text.h"
#include "views/text/stage_summary.h"
#include "views/theme/empty_note.h"
#include "views/theme/table_export_button.h"
#include "views/theme/table_look.h"
#include "views/theme/wrapped_label.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>

#include <map>
#include <utility>

namespace tessera::views {

namespace {

constexpr int kRowPadding = 8;

// The stages of each kernel in the open pipeline. Stages that a schedule has added are left out.
std::vector<std::vector<Subject>> subjectsOf(const measure::RunProfile &profile,
                                             const pipeline::Pipeline &pipeline) {
  std::map<std::string, std::uint32_t> stages;
  for (std::uint32_t i = 0; i < pipeline.stages().size(); ++i)
    stages.emplace(pipeline.stageName(pipeline::StageId{i}), i);
  std::vector<std::vector<Subject>> subjects;
  for (const measure::RunProfile::Kernel &kernel : profile.kernels) {
    std::vector<Subject> &of = subjects.emplace_back();
    for (const report::KernelStage &stage : kernel.stages)
      if (const auto at = stages.find(report::nameOf(stage)); at != stages.end())
        of.push_back(Subject::stage(pipeline::StageId{at->second}));
  }
  return subjects;
}

} // namespace

MeasurementPanel::MeasurementPanel(DocumentFlow &documents, ScheduleFlow &schedule,
                                   Selection &selection, MeasureFlow &measuring, Bridge &bridge,
                                   QWidget *parent)
    : QStackedWidget(parent), m_documents(documents), m_schedule(schedule), m_selection(selection) {
  setAccessibleName(tr("Measurements"));
  m_empty = emptyPage(*this);
  m_page = new QWidget(this);
  m_page->setAutoFillBackground(true);
  m_page->setBackgroundRole(QPalette::Base);
  addWidget(m_page);
  auto *split = new QSplitter(Qt::Vertical, m_page);
  split->setChildrenCollapsible(false);
  split->addWidget(buildTable());
  m_parts = buildParts();
  split->addWidget(m_parts);
  m_outputs = new OutputPanel(m_documents, measuring, bridge, m_page);
  split->addWidget(m_outputs);
  connect(m_outputs, &OutputPanel::told, this, &MeasurementPanel::told);
  split->setStretchFactor(0, 1);
  split->setSizes({300, 120, 260});
  auto *column = new QVBoxLayout(m_page);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(split);

  connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          &MeasurementPanel::showChosen);
  connect(m_table, &QTableView::activated, this, &MeasurementPanel::loadAt);
  connect(&m_documents, &DocumentFlow::changed, this, &MeasurementPanel::refresh);
  connect(&m_schedule, &ScheduleFlow::shownChanged, this, [this] {
    m_model.setCurrent(m_schedule.shown());
    colourTimeline();
  });
  refresh();
}

QWidget *MeasurementPanel::buildTable() {
  auto *part = new QWidget(m_page);
  m_proxy.setSourceModel(&m_model);
  m_proxy.setSortRole(MeasurementModel::SortRole);
  m_table = new QTableView(part);
  m_table->setObjectName(QStringLiteral("measurementTable"));
  m_table->setAccessibleName(tr("Measurements"));
  m_table->setModel(&m_proxy);
  m_table->setItemDelegate(new MeasurementDelegate(m_table));
  m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_table->setSelectionMode(QAbstractItemView::SingleSelection);
  m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  makeReadable(*m_table, kRowPadding);
  m_table->sortByColumn(MeasurementModel::Median, Qt::AscendingOrder);
  m_summary = new WrappedLabel(part);
  m_summary->setObjectName(QStringLiteral("measurementSummary"));
  m_summary->setAccessibleName(tr("The selected measurement"));
  auto *save = new TableExportButton(m_proxy, QStringLiteral("measurements"), part);
  save->setObjectName(QStringLiteral("measurementExport"));
  connect(save, &TableExportButton::told, this, &MeasurementPanel::told);
  auto *row = new QHBoxLayout;
  row->setContentsMargins(10, 4, 8, 4);
  row->addWidget(m_summary, 1);
  row->addWidget(save);
  auto *column = new QVBoxLayout(part);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(row);
  column->addWidget(m_table, 1);
  setFocusProxy(m_table);
  return part;
}

QWidget *MeasurementPanel::buildParts() {
  m_timeline = new TimelineView(m_selection, m_page);
  m_timeline->setObjectName(QStringLiteral("measurementTimeline"));
  connect(m_timeline, &TimelineView::told, this, &MeasurementPanel::chartTold);
  m_memoryProxy.setSourceModel(&m_intermediates);
  m_memoryProxy.setSortRole(IntermediateModel::SortRole);
  m_memory = new QTableView(m_page);
  m_memory->setObjectName(QStringLiteral("intermediateTable"));
  m_memory->setAccessibleName(tr("Intermediate buffers"));
  m_memory->setModel(&m_memoryProxy);
  m_memory->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_memory->setSelectionMode(QAbstractItemView::SingleSelection);
  makeReadable(*m_memory, kRowPadding);
  m_memory->sortByColumn(IntermediateModel::Bytes, Qt::DescendingOrder);
  new EmptyNote(*m_memory, tr("There are no intermediate buffers in device memory."));
  connect(m_memory->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex &index) {
            if (!index.isValid() || !m_shown) return;
            const auto &func = m_intermediates.at(m_memoryProxy.mapToSource(index).row()).func;
            if (const auto stage = stageNamed(*m_documents.document().pipeline(), func))
              m_selection.select(Subject::stage(*stage));
          });
  auto *split = new QSplitter(Qt::Horizontal, m_page);
  split->setChildrenCollapsible(false);
  split->addWidget(m_timeline);
  split->addWidget(m_memory);
  split->setStretchFactor(0, 1);
  split->setSizes({640, 330});
  return split;
}

void MeasurementPanel::setWhyEmpty(const QString &text) { m_empty->setText(text); }

void MeasurementPanel::refresh() {
  const std::uint64_t chosen = m_shown ? m_shown->id : 0;
  m_model.setDocument(m_documents.hasDocument() ? &m_documents.document() : nullptr);
  m_model.setCurrent(m_schedule.shown());
  setCurrentWidget(m_model.rowCount() ? m_page : m_empty->parentWidget());
  if (!m_table->currentIndex().isValid()) choose(chosen); // setDocument() has cleared the selection
  if (!m_table->currentIndex().isValid() && m_proxy.rowCount() > 0) m_table->selectRow(0);
  showChosen();
  if (m_model.rowCount() == 0) return;
  const int digit = fontMetrics().averageCharWidth();
  for (int column = 0; column < m_proxy.columnCount(); ++column) {
    m_table->setColumnWidth(column,
                            qBound(digit * 7, contentWidth(*m_table, column) + 6, digit * 34));
  }
}

void MeasurementPanel::choose(std::uint64_t candidate, MeasurementModel::Kind kind) {
  if (const auto row = m_model.rowOf(candidate, kind))
    m_table->selectRow(m_proxy.mapFromSource(m_model.index(*row, 0)).row());
}

void MeasurementPanel::loadAt(const QModelIndex &proxyIndex) {
  if (proxyIndex.isValid())
    m_documents.load(proxyIndex.data(MeasurementModel::IdRole).toULongLong());
}

void MeasurementPanel::showChosen() {
  const QModelIndex index = m_proxy.mapToSource(m_table->currentIndex());
  const auto chosen = index.isValid() ? m_model.candidateAt(index.row()) : nullptr;
  const measure::KeptMeasurement *measurement =
      chosen ? m_model.measurementAt(index.row()) : nullptr;
  // The output panel is updated even if the same candidate is shown: its verification may have been
  // repeated.
  const bool isVerification = chosen && !measurement;
  m_outputs->setVisible(isVerification);
  m_outputs->show(isVerification ? &*chosen->verification : nullptr);
  if (chosen == m_shown && measurement == m_shownMeasurement) return;
  m_shown = chosen;
  m_shownMeasurement = measurement;
  m_parts->setVisible(measurement);
  if (!measurement) {
    m_timeline->show(nullptr, {});
    m_intermediates.setIntermediates({});
    m_summary->setToolTip({});
    return m_summary->setText(chosen ? tr("%1: %2").arg(QString::fromStdString(chosen->label.name),
                                                        verifiedText(*chosen->verification))
                                     : QString());
  }
  auto profile = std::make_shared<const measure::RunProfile>(
      measure::profileOf(*measurement, chosen->schedule));
  m_summary->setText(summaryOf(*chosen, *measurement, *profile));
  m_summary->setToolTip(tr("Inputs %1, outputs %2")
                            .arg(bytesText(profile->inputBytes), bytesText(profile->outputBytes)));
  m_intermediates.setIntermediates(profile->intermediates);
  for (int column = 0; column < m_intermediates.columnCount(); ++column)
    m_memory->setColumnWidth(column, contentWidth(*m_memory, column));
  m_subjects = subjectsOf(*profile, *m_documents.document().pipeline());
  m_timeline->show(profile, m_subjects);
  colourTimeline();
}

// A kernel has the colour of the shown kernel that computes its owner, also if the measured
// schedule is another one.
void MeasurementPanel::colourTimeline() {
  const ShownSchedulePtr &shown = m_schedule.shown();
  std::vector<int> colours;
  for (std::size_t k = 0; k < m_subjects.size(); ++k) {
    const int colour = shown && !m_subjects[k].empty()
                           ? shown->colourOf(shown->placeOf(m_subjects[k].front()).kernel)
                           : 0;
    colours.push_back(colour > 0 ? colour : int(k) + 1);
  }
  m_timeline->setColours(std::move(colours));
}

// "auto 1: 22.6 µs measured on …; 20.1 µs in the kernels; 2.5 µs outside the kernels; …"
QString MeasurementPanel::summaryOf(const document::KeptCandidate &candidate,
                                    const measure::KeptMeasurement &measurement,
                                    const measure::RunProfile &profile) {
  QStringList parts{
      tr("%1: %2").arg(QString::fromStdString(candidate.label.name), measuredText(measurement))};
  if (profile.kernels.empty())
    return parts.front() +
           tr("; its kernels are not known, because the document has no compile report");
  if (const auto seconds = measurement.times.kernelSeconds())
    parts << tr("%1 in the kernels").arg(timeText(*seconds));
  if (profile.gapSeconds) parts << tr("%1 outside the kernels").arg(timeText(*profile.gapSeconds));
  if (profile.allocationSeconds)
    parts << tr("%1 more if a run allocates every buffer itself")
                 .arg(timeText(*profile.allocationSeconds));
  parts << (profile.intermediates.empty()
                ? tr("no intermediate buffers in device memory")
                : tr("intermediate buffers: %1 at peak, %2 in total")
                      .arg(bytesText(profile.peakBytes), bytesText(profile.intermediateBytes())));
  return parts.join(QStringLiteral("; "));
}

} // namespace tessera::views

// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/roofline/roofline_panel.h"

#include "engine/cost/roofline/roofline_work.h"
#include "engine/machine/gpu_name.h"
#include "engine/measure/bench_roofline.h"
#include "views/kernels/empty_page.h"
#include "views/kernels/kernel_table.h"
#include "views/text/error_text.h"
#include "views/theme/file_folder.h"
#include "views/theme/flat_tool_bar.h"
#include "views/theme/icons.h"
#include "views/theme/wrapped_label.h"

#include <QAction>
#include <QDir>
#include <QFileDialog>
#include <QLabel>
#include <QSplitter>
#include <QVBoxLayout>

namespace tessera::views {

namespace {

std::shared_ptr<const cost::Roofline> rooflineOf(const ShownSchedulePtr &shown,
                                                 const MachineFacts &facts) {
  if (!shown) return nullptr;
  return std::make_shared<const cost::Roofline>(cost::rooflineOf(
      shown->found.prediction, shown->found.schedule, facts.machine, facts.ceilings));
}

// Adds the points of the compiled code at the measured times. Only measurements on the same GPU are
// used: under the roofs of another GPU a point would be meaningless.
std::shared_ptr<const cost::Roofline>
withMeasured(const std::shared_ptr<const cost::Roofline> &predicted, const MachineFacts &facts,
             const measure::KeptMeasurement *measurement) {
  if (!predicted || !measurement ||
      !machine::isSameGpu(measurement->times.machine, facts.machine.title))
    return predicted;
  const measure::MeasuredWorks works =
      measure::worksOf(measurement->bundle, measurement->times, measurement->counters);
  cost::Roofline both = *predicted;
  for (const cost::Work &kernel : works.kernels)
    both.kernels.push_back(cost::place(kernel, facts.ceilings));
  both.pipelines.push_back(cost::place(works.whole, facts.ceilings));
  return std::make_shared<const cost::Roofline>(std::move(both));
}

} // namespace

RooflinePanel::RooflinePanel(ShownKernels &kernels, Bridge &bridge, QWidget *parent)
    : QStackedWidget(parent), m_kernels(kernels), m_bridge(bridge) {
  setAccessibleName(tr("Roofline"));
  m_empty = emptyPage(*this);
  m_page = new QWidget(this);
  m_page->setAutoFillBackground(true);
  m_page->setBackgroundRole(QPalette::Base);
  addWidget(m_page);

  m_view = new RooflineView(m_kernels, m_page);
  m_view->setObjectName(QStringLiteral("rooflineView"));
  m_table = new KernelTable(m_kernels, m_model, RooflineTableModel::SortRole,
                            RooflineTableModel::DifferentRole, m_page);
  connect(m_table, &KernelTable::comparisonWanted, this, [this](bool compares) {
    m_compares = compares;
    m_refresh.now();
  });
  m_table->setObjectName(QStringLiteral("rooflineTable"));
  m_table->setAccessibleName(tr("What holds each kernel back"));
  m_summary = new WrappedLabel(m_page);
  m_summary->setObjectName(QStringLiteral("rooflineSummary"));
  m_summary->setAccessibleName(tr("Roofline of the pipeline"));
  m_summary->setContentsMargins(10, 4, 10, 2);

  auto *split = new QSplitter(Qt::Vertical, m_page);
  split->setChildrenCollapsible(false);
  split->addWidget(m_view);
  split->addWidget(m_table);
  split->setStretchFactor(0, 2);
  split->setStretchFactor(1, 1);
  split->setSizes({300, 180});
  auto *column = new QVBoxLayout(m_page);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(buildBar());
  column->addWidget(m_summary);
  column->addWidget(split, 1);

  connect(m_view, &RooflineView::zoomChanged, this, &RooflinePanel::updateActions);
  connect(m_view, &RooflineView::told, this, &RooflinePanel::told);
  connect(&m_kernels, &ShownKernels::changed, &m_refresh, &SeenRefresh::request);
  m_refresh.now();
}

QAction *RooflinePanel::addAction(QToolBar &bar, const QString &iconName, const QString &text,
                                  const QString &keys) {
  QAction *action = bar.addAction(icon(iconName), text);
  action->setObjectName(iconName);
  action->setToolTip(keys.isEmpty() ? text : tr("%1 (%2)").arg(text, keys));
  return action;
}

QToolBar *RooflinePanel::buildBar() {
  auto *bar =
      new FlatToolBar(tr("Roofline"), FlatToolBar::Edge::None, QMargins(6, 2, 6, 2), m_page);
  bar->setIconSize({16, 16});
  m_back = addAction(*bar, QStringLiteral("zoom-back"), tr("Zoom back"), tr("Backspace"));
  m_forward =
      addAction(*bar, QStringLiteral("zoom-forward"), tr("Zoom forward"), tr("Shift+Backspace"));
  m_all = addAction(*bar, QStringLiteral("fit"), tr("Show all"), tr("Esc"));
  bar->addSeparator();
  m_keep = addAction(*bar, QStringLiteral("pin"),
                     tr("Compare later schedules with the current one"), {});
  m_keep->setCheckable(true);
  m_export = addAction(*bar, QStringLiteral("export"), tr("Export as SVG, PDF or CSV…"), {});
  connect(m_back, &QAction::triggered, m_view, &RooflineView::zoomBack);
  connect(m_forward, &QAction::triggered, m_view, &RooflineView::zoomForward);
  connect(m_all, &QAction::triggered, m_view, &RooflineView::zoomToAll);
  connect(m_keep, &QAction::triggered, this, [this](bool keep) {
    keep ? m_kernels.compareWithShown() : m_kernels.compareWithBefore();
  });
  connect(m_export, &QAction::triggered, this, &RooflinePanel::askForFile);
  return bar;
}

void RooflinePanel::refresh() {
  const ShownSchedulePtr &shown = m_kernels.schedule();
  const auto predicted = shown ? rooflineOf(shown, m_kernels.facts()) : nullptr;
  m_content = {};
  if (shown) {
    m_content.text = {shown->found.schedule.base()->name(), m_kernels.facts().machine.title};
    m_content.drawn.push_back({withMeasured(predicted, m_kernels.facts(), m_kernels.measurement()),
                               tr("now").toStdString()});
  }
  for (const ComparedSchedule &other : m_kernels.compared())
    m_content.drawn.push_back(
        {withMeasured(rooflineOf(other.schedule, m_kernels.facts()), m_kernels.facts(),
                      other.measured ? &*other.measured->measurement : nullptr),
         other.title.toStdString()});
  std::vector<std::optional<double>> measured;
  for (int i = 0; m_kernels.measurement() && i < m_kernels.count(); ++i)
    measured.push_back(m_kernels.measured(i));
  m_table->setColumnHidden(RooflineTableModel::Measured, measured.empty());
  const ShownSchedulePtr before = m_compares ? m_kernels.before() : nullptr;
  m_model.setRoofline(predicted, std::move(measured),
                      before ? rooflineOf(before, m_kernels.facts()) : nullptr);
  m_table->refresh();
  m_view->show(m_content.drawn);
  m_summary->setText(QString::fromStdString(m_view->chart().subtitle));
  m_summary->setToolTip(QString::fromStdString(m_view->chart().note));
  m_empty->setText(emptyText(m_kernels));
  setCurrentWidget(shown ? m_page : m_empty->parentWidget());
  updateActions();
}

void RooflinePanel::updateActions() {
  m_back->setEnabled(m_view->zoom().canGoBack());
  m_forward->setEnabled(m_view->zoom().canGoForward());
  m_all->setEnabled(m_view->zoom().now().has_value());
  m_keep->setChecked(m_kernels.comparesWithKept());
}

// While the dialog is open, the schedule may change or be closed. The export contains what was
// drawn when the dialog was opened.
void RooflinePanel::askForFile() {
  QFileDialog *dialog =
      saveDialog(*this, tr("Export the Roofline"),
                 QString::fromStdString(m_content.text.pipeline) + QStringLiteral(".svg"));
  dialog->setNameFilters(
      {tr("SVG pictures (*.svg)"), tr("PDF pages (*.pdf)"), tr("Tables of numbers (*.csv)")});
  dialog->setDefaultSuffix(QStringLiteral("svg"));
  connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString &filter) {
    dialog->setDefaultSuffix(filter.section(QLatin1String("*."), 1).chopped(1));
  });
  connect(dialog, &QFileDialog::fileSelected, this,
          [this, exported = m_content](const QString &path) { write(exported, path); });
  dialog->open();
}

void RooflinePanel::write(const ExportedRoofline &exported, const QString &path) {
  if (exported.drawn.empty())
    return emit told(tr("There is no schedule, so there is no roofline to export."), true);
  m_bridge.run<Done>(
      QStringLiteral("export roofline"), tr("Exporting the roofline"),
      [exported, path](const job::JobContext &) { return exportRoofline(exported, path); }, this,
      [this, path](const Status &done) {
        emit told(done ? tr("Exported to %1").arg(QDir::toNativeSeparators(path))
                       : errorText(done.error()),
                  !done);
      });
}

} // namespace tessera::views

// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/candidates/candidate_panel.h"

#include "views/candidates/candidate_delegate.h"
#include "engine/machine/gpu_name.h"
#include "views/theme/file_folder.h"
#include "views/theme/table_look.h"

#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QSplitter>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <map>
#include <utility>

namespace tessera::views {

CandidatePanel::CandidatePanel(DocumentFlow &documents, ScheduleFlow &schedule,
                               MeasureFlow &measure, CandidatePredictions &predictions,
                               QWidget *parent)
    : QWidget(parent), m_documents(documents), m_schedule(schedule), m_measuring(measure),
      m_curve(new SearchCurve(this)), m_scatter(new TimeScatter(this)),
      m_table(new QTableView(this)) {
  setAccessibleName(tr("Candidates"));
  m_model.setPredictions(&predictions);
  setUpTable();
  m_curve->clear();

  auto *column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(buildTools());
  column->addWidget(m_curve);
  auto *split = new QSplitter(Qt::Horizontal, this);
  split->setChildrenCollapsible(false);
  split->addWidget(m_table);
  split->addWidget(m_scatter);
  split->setStretchFactor(0, 1);
  split->setSizes({700, 320});
  column->addWidget(split, 1);
  setFocusProxy(m_table);

  connect(m_table, &QTableView::doubleClicked, this, [this](const QModelIndex &index) {
    if (!(m_proxy.flags(index) & Qt::ItemIsEditable) || index.column() == CandidateModel::Name)
      loadAt(index);
  });
  connect(m_table, &QTableView::customContextMenuRequested, this, &CandidatePanel::showMenu);
  connect(&m_model, &CandidateModel::renameWanted, &m_documents, &DocumentFlow::rename);
  connect(&m_model, &CandidateModel::noteWanted, &m_documents, &DocumentFlow::setNote);
  connect(&m_documents, &DocumentFlow::changed, this, &CandidatePanel::refresh);
  connect(&m_schedule, &ScheduleFlow::shownChanged, this, [this] {
    followSearch();
    refresh();
  });
  connect(&m_schedule, &ScheduleFlow::stateChanged, this, &CandidatePanel::searchChanged);
  connect(&predictions, &CandidatePredictions::changed, &m_model,
          &CandidateModel::predictionsChanged);
  connect(m_scatter, &TimeScatter::loadWanted, &m_documents, &DocumentFlow::load);
  connect(m_scatter, &TimeScatter::told, this, &CandidatePanel::told);
  connect(m_curve, &SearchCurve::told, this, &CandidatePanel::told);
  connect(&m_measuring, &MeasureFlow::changed, this, &CandidatePanel::updateMeasure);
  connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          &CandidatePanel::updateMeasure);
  refresh();
}

void CandidatePanel::setUpTable() {
  m_proxy.setSourceModel(&m_model);
  m_proxy.setSortRole(CandidateModel::SortRole);
  m_table->setObjectName(QStringLiteral("candidateTable"));
  m_table->setAccessibleName(tr("Candidates"));
  m_table->setModel(&m_proxy);
  m_table->setItemDelegate(new CandidateDelegate(m_table));
  m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_table->setSelectionMode(QAbstractItemView::SingleSelection);
  m_table->setEditTriggers(QAbstractItemView::EditKeyPressed | QAbstractItemView::SelectedClicked);
  makeReadable(*m_table, 9);
  m_table->sortByColumn(CandidateModel::Predicted, Qt::AscendingOrder);
  QHeaderView &header = *m_table->horizontalHeader();
  header.setStretchLastSection(true);
  const int digit = fontMetrics().averageCharWidth();
  for (const auto &[column, digits] : {std::pair(CandidateModel::Pin, 7),
                                       {CandidateModel::Name, 22},
                                       {CandidateModel::Origin, 14},
                                       {CandidateModel::Predicted, 17},
                                       {CandidateModel::Relative, 13},
                                       {CandidateModel::Measured, 19},
                                       {CandidateModel::Checked, 23}})
    m_table->setColumnWidth(column, digit * digits);
  m_table->setContextMenuPolicy(Qt::CustomContextMenu);
  m_table->installEventFilter(this);
}

QToolButton *CandidatePanel::addTool(QHBoxLayout &row, const QString &name, const QString &text,
                                     const QString &toolTip) {
  auto *button = new QToolButton(this);
  button->setObjectName(name);
  button->setText(text);
  button->setAccessibleName(QString(text).remove(QChar(0x2026)));
  button->setToolTip(toolTip);
  button->setAutoRaise(true);
  row.addWidget(button);
  return button;
}

QWidget *CandidatePanel::buildTools() {
  auto *tools = new QWidget(this);
  auto *row = new QHBoxLayout(tools);
  row->setContentsMargins(6, 5, 8, 5);
  row->setSpacing(4);
  m_keep = addTool(*row, QStringLiteral("keepCurrent"), tr("Keep Current"), {});
  m_import = addTool(*row, QStringLiteral("importCandidate"), tr("Import…"),
                     tr("Import a schedule from a .schedule.h or .json file"));
  m_others = addTool(*row, QStringLiteral("addOthers"), tr("Add Others' Schedules…"),
                     tr("Add the hand-written schedule, and those of Halide's own autoschedulers"));
  row->addStretch();
  m_verify = addTool(*row, QStringLiteral("verifyCandidate"), tr("Verify"), {});
  m_measure = addTool(*row, QStringLiteral("measureCandidate"), tr("Measure"), {});
  connect(m_keep, &QToolButton::clicked, &m_documents, &DocumentFlow::keepCurrent);
  connect(m_import, &QToolButton::clicked, this, &CandidatePanel::askForImport);
  connect(m_others, &QToolButton::clicked, this, &CandidatePanel::othersWanted);
  connect(m_measure, &QToolButton::clicked, this, [this] { m_measuring.measure({currentId()}); });
  connect(m_verify, &QToolButton::clicked, this, [this] { m_measuring.verify({currentId()}); });
  return tools;
}

void CandidatePanel::refresh() {
  m_model.setCandidates(
      m_documents.hasDocument()
          ? std::vector<document::CandidatePtr>(m_documents.document().candidates().begin(),
                                                m_documents.document().candidates().end())
          : std::vector<document::CandidatePtr>(),
      m_documents.hasDocument() ? m_documents.document().basis() : measure::Basis());
  m_model.setCurrent(m_schedule.shown());
  const bool hasDocument = m_documents.hasDocument();
  const bool canKeep = m_schedule.shown() && !m_schedule.isRunning();
  m_keep->setEnabled(canKeep);
  m_keep->setToolTip(canKeep ? tr("Add the current schedule to the list")
                             : tr("There is no schedule to keep, or a search is running"));
  m_import->setEnabled(hasDocument);
  m_others->setEnabled(hasDocument);
  updateMeasure();
  refreshScatter();
}

bool CandidatePanel::choose(std::uint64_t candidate) {
  const auto row = m_model.rowOf(candidate);
  if (row) m_table->selectRow(m_proxy.mapFromSource(m_model.index(*row, 0)).row());
  return row.has_value();
}

void CandidatePanel::updateMeasure() {
  const auto offer = [this](QToolButton &button, QString whyNot, const QString &what) {
    if (whyNot.isEmpty() && currentId() == 0) whyNot = tr("Select a candidate first.");
    button.setEnabled(whyNot.isEmpty());
    button.setToolTip(whyNot.isEmpty() ? what : whyNot);
  };
  offer(*m_measure, m_measuring.whyNotMeasure(),
        tr("Measure the selected candidate on %1").arg(m_measuring.where()));
  offer(*m_verify, m_measuring.whyNotVerify(),
        tr("Compare the selected candidate's outputs with those of the unscheduled pipeline; no "
           "GPU is needed"));
}

// A time without verified outputs does not count, so its candidate gets no point.
void CandidatePanel::refreshScatter() {
  std::vector<ScatterPoint> points;
  std::map<std::string, std::string> titles;
  for (const ScheduleService::Choice &machine : m_schedule.service().machines)
    titles.emplace(machine.name, machine.title);
  for (int row = 0; row < m_model.rowCount(); ++row) {
    const document::KeptCandidate &candidate = *m_model.candidateAt(row);
    const bool hasBoth = candidate.measurement && candidate.measurement->times.verified() &&
                         candidate.measurement->times.backToBack.median > 0 &&
                         candidate.predictedSeconds.value_or(0) > 0;
    if (!hasBoth) continue;
    const bench::Measurement &times = candidate.measurement->times;
    const QModelIndex index = m_model.index(row, CandidateModel::Measured);
    points.push_back({candidate.id, QString::fromStdString(candidate.label.name),
                      *candidate.predictedSeconds, times.backToBack.median,
                      index.data(CandidateModel::CurrentRole).toBool(),
                      index.data(CandidateModel::StaleRole).toBool(),
                      !machine::isSameGpu(times.machine, titles[candidate.machine])});
  }
  m_scatter->setVisible(!points.empty());
  m_scatter->setPoints(std::move(points));
}

// ---- The search that runs

void CandidatePanel::searchChanged() {
  const bool isRunning = m_schedule.isRunning();
  if (isRunning && !m_isSearching) {
    m_curve->clear();
    m_clock.start();
  }
  m_isSearching = isRunning;
  if (!m_schedule.hasPipeline()) m_curve->clear();
  refresh();
}

void CandidatePanel::followSearch() {
  if (!m_isSearching || !m_schedule.shown()) return;
  m_curve->add(
      {double(m_clock.nsecsElapsed()) * 1e-9, m_schedule.shown()->found.prediction.milliseconds()});
}

// ---- What the user does

std::uint64_t CandidatePanel::currentId() const {
  const QModelIndex index = m_table->currentIndex();
  return index.isValid() ? index.data(CandidateModel::IdRole).toULongLong() : 0;
}

void CandidatePanel::loadAt(const QModelIndex &proxyIndex) {
  if (proxyIndex.isValid()) m_documents.load(proxyIndex.data(CandidateModel::IdRole).toULongLong());
}

// Pinning a candidate with the pin that it has already removes the pin.
void CandidatePanel::pinCurrent(document::Pin pin) {
  const QModelIndex index = m_table->currentIndex();
  if (!index.isValid()) return;
  const bool has = index.data(CandidateModel::PinRole).toInt() == int(pin);
  m_documents.pin(currentId(), has ? document::Pin::None : pin);
}

bool CandidatePanel::eventFilter(QObject *watched, QEvent *event) {
  if (watched == m_table && event->type() == QEvent::KeyPress) {
    auto *key = static_cast<QKeyEvent *>(event);
    if (key->modifiers() == Qt::NoModifier) switch (key->key()) {
      case Qt::Key_Return:
      case Qt::Key_Enter:
        loadAt(m_table->currentIndex());
        return true;
      case Qt::Key_A:
        pinCurrent(document::Pin::A);
        return true;
      case Qt::Key_B:
        pinCurrent(document::Pin::B);
        return true;
      case Qt::Key_Delete:
        m_documents.remove(currentId());
        return true;
      default:
        break;
      }
  }
  return QWidget::eventFilter(watched, event);
}

void CandidatePanel::showMenu(QPoint where) {
  const QModelIndex index = m_table->indexAt(where);
  if (!index.isValid()) return;
  const std::uint64_t id = index.data(CandidateModel::IdRole).toULongLong();
  const auto pin = document::Pin(index.data(CandidateModel::PinRole).toInt());
  const bool isQuarantined = index.data(CandidateModel::QuarantinedRole).toBool();
  auto *menu = new QMenu(this);
  menu->setObjectName(QStringLiteral("candidateMenu"));
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->addAction(tr("&Load\tReturn"), this, [this, id] { m_documents.load(id); });
  QAction *measure =
      menu->addAction(tr("Mea&sure"), this, [this, id] { m_measuring.measure({id}); });
  measure->setEnabled(m_measuring.whyNotMeasure().isEmpty());
  QAction *verify = menu->addAction(tr("&Verify"), this, [this, id] { m_measuring.verify({id}); });
  verify->setEnabled(m_measuring.whyNotVerify().isEmpty());
  menu->addAction(tr("&Compare Decisions With This"), this,
                  [this, id] { emit comparisonWanted(id); });
  menu->addSeparator();
  menu->addAction(pin == document::Pin::A ? tr("Unpin &A\tA") : tr("Pin as &A\tA"), this,
                  [this] { pinCurrent(document::Pin::A); });
  menu->addAction(pin == document::Pin::B ? tr("Unpin &B\tB") : tr("Pin as &B\tB"), this,
                  [this] { pinCurrent(document::Pin::B); });
  menu->addAction(tr("&Rename\tF2"), this,
                  [this, index] { m_table->edit(index.siblingAtColumn(CandidateModel::Name)); });
  menu->addAction(tr("&Note…"), this,
                  [this, index] { m_table->edit(index.siblingAtColumn(CandidateModel::Note)); });
  menu->addSeparator();
  menu->addAction(isQuarantined ? tr("Release From &Quarantine") : tr("&Quarantine"), this,
                  [this, id, isQuarantined] { m_documents.setQuarantined(id, !isQuarantined); });
  menu->addAction(tr("Re&move\tDelete"), this, [this, id] { m_documents.remove(id); });
  menu->popup(m_table->viewport()->mapToGlobal(where));
}

void CandidatePanel::askForImport() {
  auto *dialog = new QFileDialog(this, tr("Import a Schedule"), fileFolder(*this));
  dialog->setObjectName(QStringLiteral("importDialog"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFile);
  dialog->setNameFilter(tr("Schedules (*.schedule.h *.h *.json)"));
  connect(dialog, &QFileDialog::fileSelected, &m_documents, &DocumentFlow::importSchedule);
  dialog->open();
}

} // namespace tessera::views

// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/candidates/candidate_panel.h"

#include "views/candidates/candidate_delegate.h"
#include "views/theme/table_look.h"

#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

namespace tessera::views {

CandidatePanel::CandidatePanel(DocumentFlow &documents, ScheduleFlow &schedule, QWidget *parent)
    : QWidget(parent), m_documents(documents), m_schedule(schedule), m_curve(new SearchCurve(this)),
      m_table(new QTableView(this)) {
  setAccessibleName(tr("Candidates"));
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
                                       {CandidateModel::Predicted, 13},
                                       {CandidateModel::Relative, 13},
                                       {CandidateModel::Measured, 13}})
    m_table->setColumnWidth(column, digit * digits);
  m_table->setContextMenuPolicy(Qt::CustomContextMenu);
  m_table->installEventFilter(this);
  m_curve->clear();

  auto *column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(buildTools());
  column->addWidget(m_curve);
  column->addWidget(m_table, 1);
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
  refresh();
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
                     tr("A schedule from a .schedule.h or .json file"));
  m_manual = addTool(*row, QStringLiteral("addManual"), tr("Add Manual"),
                     tr("The schedule by hand: of the generator, or NAME.manual.hlpipe beside "
                        "NAME.hlpipe"));
  row->addStretch();
  m_measure = addTool(*row, QStringLiteral("measureCandidate"), tr("Measure"), {});
  m_measure->setEnabled(false);
  m_measure->setToolTip(
      tr("The explorer does not measure yet. Save or export the schedule, and run "
         "tessera-cli bench or compare where a GPU is."));
  connect(m_keep, &QToolButton::clicked, &m_documents, &DocumentFlow::keepCurrent);
  connect(m_import, &QToolButton::clicked, this, &CandidatePanel::askForImport);
  connect(m_manual, &QToolButton::clicked, this,
          [this] { m_documents.importSchedule(QStringLiteral("manual")); });
  return tools;
}

void CandidatePanel::refresh() {
  m_model.setCandidates(m_documents.hasDocument() ? std::vector<session::CandidatePtr>(
                                                        m_documents.document().candidates().begin(),
                                                        m_documents.document().candidates().end())
                                                  : std::vector<session::CandidatePtr>());
  m_model.setCurrent(m_schedule.shown());
  const bool hasDocument = m_documents.hasDocument();
  const bool canKeep = m_schedule.shown() && !m_schedule.isRunning();
  m_keep->setEnabled(canKeep);
  m_keep->setToolTip(canKeep ? tr("Put the current schedule into the list")
                             : tr("There is no schedule to keep, or a search is running"));
  m_import->setEnabled(hasDocument);
  m_manual->setEnabled(hasDocument);
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

// Once more takes it off.
void CandidatePanel::pinCurrent(session::Pin pin) {
  const QModelIndex index = m_table->currentIndex();
  if (!index.isValid()) return;
  const bool has = index.data(CandidateModel::PinRole).toInt() == int(pin);
  m_documents.pin(currentId(), has ? session::Pin::None : pin);
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
        pinCurrent(session::Pin::A);
        return true;
      case Qt::Key_B:
        pinCurrent(session::Pin::B);
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
  const auto pin = session::Pin(index.data(CandidateModel::PinRole).toInt());
  const bool isQuarantined = index.data(CandidateModel::QuarantinedRole).toBool();
  auto *menu = new QMenu(this);
  menu->setObjectName(QStringLiteral("candidateMenu"));
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->addAction(tr("&Load\tReturn"), this, [this, id] { m_documents.load(id); });
  menu->addAction(tr("&Compare Decisions With It"), this,
                  [this, id] { emit comparisonWanted(id); });
  menu->addSeparator();
  menu->addAction(pin == session::Pin::A ? tr("Unpin &A\tA") : tr("Pin as &A\tA"), this,
                  [this] { pinCurrent(session::Pin::A); });
  menu->addAction(pin == session::Pin::B ? tr("Unpin &B\tB") : tr("Pin as &B\tB"), this,
                  [this] { pinCurrent(session::Pin::B); });
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
  auto *dialog = new QFileDialog(this, tr("Import a Schedule"));
  dialog->setObjectName(QStringLiteral("importDialog"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFile);
  dialog->setNameFilter(tr("Schedules (*.schedule.h *.h *.json)"));
  connect(dialog, &QFileDialog::fileSelected, &m_documents, &DocumentFlow::importSchedule);
  dialog->open();
}

} // namespace tessera::views

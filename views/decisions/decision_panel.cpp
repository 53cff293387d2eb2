// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/decisions/decision_panel.h"

#include "views/decisions/choice_popup.h"
#include "views/decisions/decision_delegate.h"
#include "engine/document/cell_changes.h"
#include "engine/schedule/directives/lower.h"
#include "engine/schedule/text/call_text.h"
#include "views/text/freeze_text.h"
#include "views/theme/empty_note.h"
#include "views/theme/table_export_button.h"
#include "views/theme/table_look.h"

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMouseEvent>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace tessera::views {

using schedule::DecisionColumn;

namespace {

constexpr int kMeasured = 200; // rows that are measured to compute the width of a column

// Widest column, in characters. The texts of loops and places are long and elided at the end.
constexpr int kWidest = 34;

// A cell offers the changes that would be visible in it or in one of the other selected cells. If
// `stages` is empty, the cell is in the row of the whole schedule and offers all changes.
ChoicePopup::Filter changesOf(const schedule::Schedule &schedule,
                              const std::vector<pipeline::StageId> &stages, DecisionColumn column) {
  if (stages.empty()) return [](const document::Choice &) { return true; };
  return [cells = document::CellChanges(schedule, stages, column)](const document::Choice &choice) {
    return cells.has(choice.decision, choice.after);
  };
}

} // namespace

DecisionPanel::DecisionPanel(DocumentFlow &documents, ScheduleFlow &schedule, Selection &selection,
                             Bridge &bridge, QWidget *parent)
    : QWidget(parent), m_documents(documents), m_schedule(schedule), m_selection(selection),
      m_popup(new ChoicePopup(documents, schedule, bridge, this)),
      m_pages(new QStackedWidget(this)), m_table(new QTableView(this)) {
  setAccessibleName(tr("Decisions"));
  m_proxy.setSourceModel(&m_model);
  m_proxy.setSortRole(DecisionModel::SortRole);
  m_proxy.setFilterKeyColumn(-1);
  m_proxy.setFilterCaseSensitivity(Qt::CaseInsensitive);
  m_table->setObjectName(QStringLiteral("decisionTable"));
  m_table->setAccessibleName(tr("Decisions"));
  m_table->setModel(&m_proxy);
  m_table->setItemDelegate(new DecisionDelegate(m_table));
  makeReadable(*m_table, 6);
  m_table->sortByColumn(DecisionModel::kStageColumn, Qt::AscendingOrder);
  m_noRow = new EmptyNote(*m_table, tr("No stage has this text in its name or its decisions."));
  m_table->horizontalHeader()->setResizeContentsPrecision(kMeasured);
  m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  m_table->setContextMenuPolicy(Qt::CustomContextMenu);
  m_table->viewport()->setMouseTracking(true);
  m_table->installEventFilter(this);
  m_table->viewport()->installEventFilter(this);

  auto *whole = new QWidget(this);
  auto *column = new QVBoxLayout(whole);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(buildTools());
  column->addWidget(m_table, 1);
  m_pages->addWidget(buildEmptyPage());
  m_pages->addWidget(whole);
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(m_pages);
  setFocusProxy(m_table);

  connect(m_table, &QTableView::customContextMenuRequested, this, &DecisionPanel::showMenu);
  connect(m_table, &QTableView::doubleClicked, this, &DecisionPanel::chooseAt);
  connect(m_table, &QTableView::entered, this, [this](const QModelIndex &index) {
    if (const auto subject = m_model.subjectAt(source(index).row())) m_selection.hover(*subject);
  });
  connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
          &DecisionPanel::tableSelectionChanged);
  connect(&m_schedule, &ScheduleFlow::shownChanged, this, &DecisionPanel::showSchedule);
  connect(&m_schedule, &ScheduleFlow::found, this, [this] {
    hideEmptyColumns();
    fitColumns();
  });
  connect(&m_documents, &DocumentFlow::changed, this, &DecisionPanel::fillComparisons);
  connect(&m_selection, &Selection::changed, this, &DecisionPanel::selectionChanged);
  showSchedule();
}

DecisionPanel::~DecisionPanel() = default;

QWidget *DecisionPanel::buildTools() {
  auto *tools = new QWidget(this);
  m_filter = new QLineEdit(tools);
  m_filter->setObjectName(QStringLiteral("decisionFilter"));
  m_filter->setAccessibleName(tr("Filter decisions"));
  m_filter->setPlaceholderText(tr("Filter by stage or value"));
  m_filter->setClearButtonEnabled(true);
  m_comparison = new QComboBox(tools);
  m_comparison->setObjectName(QStringLiteral("comparison"));
  m_comparison->setAccessibleName(tr("Compare with a candidate"));
  m_comparison->setToolTip(tr("Where a value differs from this candidate's, both are shown: this "
                              "schedule's ≠ the candidate's"));
  m_comparison->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  m_comparison->addItem(tr("Compare with …"), qulonglong(0));
  m_onlyDifferent = new QToolButton(tools);
  m_onlyDifferent->setObjectName(QStringLiteral("onlyDifferent"));
  m_onlyDifferent->setText(tr("Only &differences"));
  m_onlyDifferent->setAccessibleName(tr("Only differences"));
  m_onlyDifferent->setToolTip(tr("Hide the stages and columns that do not differ"));
  m_onlyDifferent->setCheckable(true);
  m_onlyDifferent->hide();
  connect(m_onlyDifferent, &QToolButton::toggled, this, &DecisionPanel::showOnlyDifferent);
  auto *more = new TableExportButton(m_proxy, QStringLiteral("decisions"), tools);
  more->setObjectName(QStringLiteral("decisionExport"));
  connect(more, &TableExportButton::told, this, &DecisionPanel::told);
  auto *row = new QHBoxLayout(tools);
  row->setContentsMargins(8, 6, 10, 6);
  row->setSpacing(8);
  row->addWidget(m_filter, 1);
  row->addWidget(m_comparison);
  row->addWidget(m_onlyDifferent);
  row->addWidget(more);
  connect(m_filter, &QLineEdit::textChanged, &m_proxy,
          &QSortFilterProxyModel::setFilterFixedString);
  connect(m_comparison, &QComboBox::activated, this,
          [this] { compareWith(m_comparison->currentData().toULongLong()); });
  return tools;
}

QWidget *DecisionPanel::buildEmptyPage() {
  auto *page = new QWidget(this);
  auto *text = new QLabel(tr("There is no schedule yet. Search for one, or start from the default "
                             "schedule and decide everything yourself."),
                          page);
  text->setWordWrap(true);
  text->setAlignment(Qt::AlignCenter);
  text->setForegroundRole(QPalette::PlaceholderText);
  auto *search = new QPushButton(tr("Sche&dule"), page);
  search->setObjectName(QStringLiteral("searchFirst"));
  auto *start = new QPushButton(tr("Start from the &Default"), page);
  start->setObjectName(QStringLiteral("startFromDefault"));
  auto *buttons = new QHBoxLayout;
  buttons->addStretch();
  buttons->addWidget(search);
  buttons->addWidget(start);
  buttons->addStretch();
  auto *column = new QVBoxLayout(page);
  column->setContentsMargins(24, 24, 24, 24);
  column->setSpacing(12);
  column->addStretch();
  column->addWidget(text);
  column->addLayout(buttons);
  column->addStretch();
  connect(search, &QPushButton::clicked, this, &DecisionPanel::searchWanted);
  connect(start, &QPushButton::clicked, this, &DecisionPanel::startFromDefault);
  return page;
}

void DecisionPanel::startFromDefault() {
  if (!m_documents.hasDocument()) return;
  for (const document::CandidatePtr &candidate : m_documents.document().candidates())
    if (candidate->origin == document::CandidateOrigin::Default)
      return m_documents.load(candidate->id);
}

void DecisionPanel::showSchedule() {
  const QScopedValueRollback following(m_following, true);
  const int rows = m_model.rowCount();
  m_model.setSchedule(m_schedule.shown());
  m_pages->setCurrentIndex(m_schedule.shown() ? 1 : 0);
  if (m_proxy.isOnlyDifferent()) m_proxy.setOnlyDifferent(true); // other rows may differ now
  if (m_model.rowCount() != rows) fitColumns();
  if (!m_schedule.isRunning()) hideEmptyColumns();
}

// The columns Store and Reduction are hidden if empty: the user can only change values in them, not
// add any. If only what differs is shown, all columns without a difference are hidden.
void DecisionPanel::hideEmptyColumns() {
  for (int c = 0; c < schedule::kDecisionColumns; ++c) {
    const auto column = static_cast<DecisionColumn>(c);
    const bool mayBeEmpty = column == DecisionColumn::Store || column == DecisionColumn::Reduction;
    const bool isHidden = m_proxy.isOnlyDifferent() ? !m_model.differsInColumn(column)
                                                    : mayBeEmpty && m_model.isEmptyColumn(column);
    m_table->setColumnHidden(DecisionModel::sectionOf(column), isHidden);
  }
}

void DecisionPanel::showOnlyDifferent(bool only) {
  m_proxy.setOnlyDifferent(only && m_model.isCompared());
  m_noRow->setText(m_proxy.isOnlyDifferent() && m_filter->text().isEmpty()
                       ? tr("All decisions are the same as in %1.").arg(m_comparison->currentText())
                       : tr("No stage has this text in its name or its decisions."));
  hideEmptyColumns();
  fitColumns();
}

// No column is wider than kWidest, unless the other columns leave room for it.
void DecisionPanel::fitColumns() {
  const int widest = fontMetrics().averageCharWidth() * kWidest;
  std::vector<std::pair<int, int>> cut; // pairs of a section and its missing width
  int left = m_table->viewport()->width();
  for (int section = 0; section < m_model.columnCount(); ++section) {
    const int wanted = contentWidth(*m_table, section);
    m_table->setColumnWidth(section, qBound(62, wanted, widest));
    if (m_table->isColumnHidden(section)) continue;
    left -= m_table->columnWidth(section);
    if (wanted > widest) cut.emplace_back(section, wanted - widest);
  }
  for (const auto &[section, missing] : cut) {
    const int more = qBound(0, left, missing);
    m_table->setColumnWidth(section, m_table->columnWidth(section) + more);
    left -= more;
  }
}

// ---- Comparing

void DecisionPanel::fillComparisons() {
  const std::uint64_t chosen = comparedWith();
  if (!needsFilling()) return;
  m_comparison->clear();
  m_comparison->addItem(tr("Compare with …"), qulonglong(0));
  if (!m_documents.hasDocument()) return compareWith(0);
  for (const document::CandidatePtr &candidate : m_documents.document().candidates())
    if (!candidate->label.isRemoved)
      m_comparison->addItem(QString::fromStdString(candidate->label.name),
                            qulonglong(candidate->id));
  const int index = m_comparison->findData(qulonglong(chosen));
  m_comparison->setCurrentIndex(qMax(0, index));
  if (index < 0) compareWith(0);
}

// Whether the candidates or their names have changed. Edits of the schedule also change the
// document, but not its candidates.
bool DecisionPanel::needsFilling() {
  QStringList now;
  if (m_documents.hasDocument())
    for (const document::CandidatePtr &candidate : m_documents.document().candidates())
      if (!candidate->label.isRemoved)
        now << QString::number(candidate->id) + QString::fromStdString(candidate->label.name);
  return std::exchange(m_offered, now) != now;
}

std::uint64_t DecisionPanel::comparedWith() const {
  return m_comparison->currentData().toULongLong();
}

void DecisionPanel::compareWith(std::uint64_t id) {
  m_comparison->setCurrentIndex(qMax(0, m_comparison->findData(qulonglong(id))));
  const document::CandidatePtr candidate =
      m_documents.hasDocument() ? m_documents.document().candidate(id) : nullptr;
  if (candidate)
    m_model.setComparison(candidate->schedule, QString::fromStdString(candidate->label.name));
  else
    m_model.setComparison({}, {});
  m_onlyDifferent->setVisible(candidate != nullptr);
  if (candidate)
    showOnlyDifferent(m_onlyDifferent->isChecked());
  else
    m_onlyDifferent->setChecked(false);
  fitColumns();
}

// ---- Deciding

void DecisionPanel::chooseAt(const QModelIndex &proxyIndex) {
  const QModelIndex index = source(proxyIndex);
  if (!index.isValid() || !m_model.schedule()) return;
  const auto stage = m_model.stageAt(index.row());
  const auto column = DecisionModel::columnOf(index.column());
  const QRect cell = m_table->visualRect(proxyIndex);
  const QRect where(m_table->viewport()->mapToGlobal(cell.topLeft()), cell.size());
  if (!column) return m_popup->ask(m_model.titleOf(index), stage, {}, where);
  const schedule::Schedule &schedule = m_model.schedule()->found.schedule;
  const std::vector<pipeline::StageId> stages = selectedStages(index);
  if (stages.size() > 1)
    return m_popup->askForAll(
        tr("%1 of %2 stages", nullptr, int(stages.size()))
            .arg(m_model.headerData(index.column(), Qt::Horizontal, Qt::DisplayRole).toString())
            .arg(stages.size()),
        stages, *column, changesOf(schedule, stages, *column), where);
  m_popup->ask(m_model.titleOf(index), stage, changesOf(schedule, stages, *column), where, *column);
}

// The stages of the selected cells in the column of `asked`; the stage of `asked` comes first. If
// `asked` is not selected, only its stage. Empty if `asked` is in the row of the whole schedule.
std::vector<pipeline::StageId> DecisionPanel::selectedStages(const QModelIndex &asked) const {
  const auto first = m_model.stageAt(asked.row());
  if (!first) return {};
  std::vector<pipeline::StageId> stages{*first};
  const QItemSelectionModel &selection = *m_table->selectionModel();
  if (!selection.isSelected(m_proxy.mapFromSource(asked))) return stages;
  for (const QModelIndex &index : selection.selectedIndexes()) {
    const auto stage = m_model.stageAt(source(index).row());
    if (stage && *stage != *first && index.column() == asked.column()) stages.push_back(*stage);
  }
  return stages;
}

void DecisionPanel::chooseFor(Subject subject, QRect where) {
  const auto row = m_model.rowOf(subject);
  if (!row) return;
  m_popup->ask(m_model.nameAt(*row), m_model.stageAt(*row), {}, where);
}

void DecisionPanel::freezeSelected() {
  const ShownSchedulePtr &shown = m_model.schedule();
  if (!shown || m_schedule.isRunning()) return;
  std::set<schedule::DecisionKey> keys;
  const QModelIndexList selected = m_table->selectionModel()->selectedIndexes();
  for (const QModelIndex &index : selected)
    for (const schedule::DecisionKey &key : m_model.decisionsAt(source(index)))
      keys.insert(key);
  if (keys.empty()) return;
  const std::vector<schedule::DecisionKey> decisions(keys.begin(), keys.end());
  const QString of = selected.size() == 1 ? m_model.titleOf(source(selected.front()))
                     : keys.size() == 1   ? tr("1 decision")
                                          : tr("%n decisions", nullptr, int(keys.size()));
  m_documents.setFrozen(decisions, freezes(shown->found.schedule, decisions), of);
}

void DecisionPanel::freezeStage(std::optional<Subject> subject) {
  const ShownSchedulePtr &shown = m_model.schedule();
  const auto row = subject ? m_model.rowOf(*subject) : std::nullopt;
  if (!row || !shown || m_schedule.isRunning()) return;
  const std::vector<schedule::DecisionKey> keys = m_model.decisionsOfRow(*row);
  m_documents.setFrozen(keys, freezes(shown->found.schedule, keys), m_model.nameAt(*row));
}

QString DecisionPanel::freezeText(std::optional<Subject> subject) const {
  const ShownSchedulePtr &shown = m_model.schedule();
  const auto row = subject ? m_model.rowOf(*subject) : std::nullopt;
  if (!row || !shown) return {};
  return views::freezeText(shown->found.schedule, m_model.decisionsOfRow(*row),
                           m_model.nameAt(*row));
}

bool DecisionPanel::eventFilter(QObject *watched, QEvent *event) {
  if (watched == m_table && event->type() == QEvent::KeyPress) {
    switch (static_cast<QKeyEvent *>(event)->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_F2:
      chooseAt(m_table->currentIndex());
      return true;
    case Qt::Key_Space:
      freezeSelected();
      return true;
    default:
      break;
    }
  }
  if (watched == m_table->viewport() && event->type() == QEvent::Leave) m_selection.hover({});
  return QWidget::eventFilter(watched, event);
}

void DecisionPanel::showMenu(QPoint where) {
  const QModelIndex proxyIndex = m_table->indexAt(where);
  const QModelIndex index = source(proxyIndex);
  if (!index.isValid()) return;
  auto *menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->setObjectName(QStringLiteral("decisionMenu"));
  const auto frozen = DecisionModel::Frozen(m_model.data(index, DecisionModel::FrozenRole).toInt());
  const std::size_t stages = selectedStages(index).size();
  const QString what = stages > 1 && DecisionModel::columnOf(index.column())
                           ? tr("%1 Stages Together").arg(stages)
                           : m_model.titleOf(index);
  menu->addAction(tr("&Change %1…\tReturn").arg(what), this,
                  [this, proxyIndex] { chooseAt(proxyIndex); });
  menu->addAction(frozen == DecisionModel::Frozen::No ? tr("&Freeze\tSpace")
                                                      : tr("&Unfreeze\tSpace"),
                  this, &DecisionPanel::freezeSelected);
  const std::vector<schedule::DecisionKey> row = m_model.decisionsOfRow(index.row());
  const QString name = m_model.nameAt(index.row());
  const DecisionModel::Frozen ofRow = m_model.frozenOf(row);
  menu->addAction(tr("Freeze All of %1").arg(name), this,
                  [this, row, name] { m_documents.setFrozen(row, true, name); })
      ->setEnabled(!row.empty() && ofRow != DecisionModel::Frozen::Yes);
  menu->addAction(tr("Unfreeze All of %1").arg(name), this,
                  [this, row, name] { m_documents.setFrozen(row, false, name); })
      ->setEnabled(ofRow != DecisionModel::Frozen::No);
  menu->addSeparator();
  QAction *copy = menu->addAction(tr("Copy &Directives of %1").arg(name), this,
                                  [this, row = index.row()] { copyDirectives(row); });
  copy->setEnabled(m_model.stageAt(index.row()).has_value());
  menu->popup(m_table->viewport()->mapToGlobal(where));
}

// Copies the directives in C++ syntax, with all names as in the pipeline, even if they are no
// identifiers of C++.
void DecisionPanel::copyDirectives(int row) {
  const auto stage = m_model.stageAt(row);
  if (!stage) return;
  const schedule::Schedule &schedule = m_model.schedule()->found.schedule;
  const pipeline::FuncId func = schedule.pipeline()->stage(*stage).func;
  QString text;
  for (const schedule::Directive &directive : schedule::lower(schedule, func)) {
    const QString update =
        directive.stage > 0 ? QStringLiteral(".update(%1)").arg(directive.stage - 1) : QString();
    text += QString::fromStdString(directive.func) + update + '.' +
            QString::fromStdString(schedule::plainCallText(directive)) + QStringLiteral(";\n");
  }
  QGuiApplication::clipboard()->setText(text);
}

// ---- The shared selection

void DecisionPanel::tableSelectionChanged() {
  if (m_following) return;
  std::vector<Subject> subjects;
  for (const QModelIndex &index : m_table->selectionModel()->selectedIndexes())
    if (const auto subject = m_model.subjectAt(source(index).row());
        subject && std::ranges::find(subjects, *subject) == subjects.end())
      subjects.push_back(*subject);
  std::optional<Subject> active;
  if (const QModelIndex current = source(m_table->currentIndex()); current.isValid())
    active = m_model.subjectAt(current.row());
  if (!subjects.empty()) m_selection.selectAll(std::move(subjects), active);
}

// Selects the row of the active stage, in the table's current column.
void DecisionPanel::selectionChanged(Selection::Changes changes) {
  if (!(changes & Selection::ActiveChanged) || !m_selection.active()) return;
  const auto row = m_model.rowOf(*m_selection.active());
  if (!row) return;
  const int column = qMax(0, m_table->currentIndex().column());
  const QModelIndex index = m_proxy.mapFromSource(m_model.index(*row, column));
  if (!index.isValid() || m_table->currentIndex().row() == index.row()) return;
  const QScopedValueRollback following(m_following, true);
  m_table->setCurrentIndex(index);
  m_table->scrollTo(index);
}

} // namespace tessera::views

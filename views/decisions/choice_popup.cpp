// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/decisions/choice_popup.h"

#include "views/decisions/choice_delegate.h"
#include "views/theme/table_look.h"

#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QScreen>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <memory>
#include <utility>

namespace tessera::views {

namespace {

const QString kChoicesTag = QStringLiteral("choices");
const QString kTypedTag = QStringLiteral("typed choice");
constexpr QSize kSize{480, 340};
constexpr int kLeastHeight = 170;

// The measured times that are still fresh. If several candidates have the same decisions, the
// fastest counts.
ChoiceModel::MeasuredSeconds measuredIn(const document::Document &document) {
  ChoiceModel::MeasuredSeconds seconds;
  for (const document::CandidatePtr &candidate : document.candidates()) {
    if (!candidate->measurement || candidate->label.isRemoved ||
        document.freshnessOf(*candidate) != measure::Freshness::Fresh)
      continue;
    const bench::Measurement &times = candidate->measurement->times;
    if (!times.verified() || !times.backToBack.measured()) continue;
    const auto [known, isNew] =
        seconds.emplace(candidate->schedule.hash(), times.backToBack.median);
    if (!isNew) known->second = std::min(known->second, times.backToBack.median);
  }
  return seconds;
}

} // namespace

ChoicePopup::ChoicePopup(DocumentFlow &documents, ScheduleFlow &schedule, Bridge &bridge,
                         QWidget *parent)
    : QFrame(parent, Qt::Popup), m_documents(documents), m_schedule(schedule), m_bridge(bridge),
      m_title(new QLabel(this)), m_state(new QLabel(this)), m_filter(new QLineEdit(this)),
      m_table(new QTableView(this)) {
  setObjectName(QStringLiteral("choicePopup"));
  setAccessibleName(tr("Choices"));
  setFrameShape(QFrame::StyledPanel);
  setAutoFillBackground(true);
  m_title->setObjectName(QStringLiteral("choiceTitle"));
  QFont bold = m_title->font();
  bold.setBold(true);
  m_title->setFont(bold);
  m_state->setObjectName(QStringLiteral("choiceState"));
  m_state->setForegroundRole(QPalette::PlaceholderText);
  m_state->setWordWrap(true);
  m_filter->setObjectName(QStringLiteral("choiceFilter"));
  m_filter->setAccessibleName(tr("Filter choices"));
  m_filter->setPlaceholderText(tr("Type to filter, or type any number"));
  m_filter->setClearButtonEnabled(true);
  m_filter->installEventFilter(this);

  m_proxy.setSourceModel(&m_model);
  m_proxy.setSortRole(ChoiceModel::SortRole);
  m_proxy.setFilterKeyColumn(-1);
  m_proxy.setFilterCaseSensitivity(Qt::CaseInsensitive);
  m_proxy.sort(ChoiceModel::Predicted);
  m_table->setObjectName(QStringLiteral("choices"));
  m_table->setAccessibleName(tr("Choices, fastest first"));
  m_table->setModel(&m_proxy);
  m_table->setItemDelegate(new ChoiceDelegate(m_table));
  m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_table->setSelectionMode(QAbstractItemView::SingleSelection);
  m_table->setShowGrid(false);
  m_table->setFrameShape(QFrame::NoFrame);
  m_table->setWordWrap(false);
  m_table->setFocusPolicy(Qt::NoFocus); // the input line keeps the focus and passes keys on
  m_table->verticalHeader()->hide();
  m_table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
  setFlatHeader(*m_table);
  QHeaderView &header = *m_table->horizontalHeader();
  header.setSectionResizeMode(QHeaderView::Fixed);
  header.setSectionResizeMode(ChoiceModel::Value, QHeaderView::Stretch);

  auto *column = new QVBoxLayout(this);
  column->setContentsMargins(10, 8, 10, 8);
  column->setSpacing(6);
  column->addWidget(m_title);
  column->addWidget(m_filter);
  column->addWidget(m_table, 1);
  column->addWidget(m_state);
  resize(kSize);
  connect(m_filter, &QLineEdit::textChanged, this, [this](const QString &text) {
    m_proxy.setFilterFixedString(text);
    lookForTyped();
    m_table->selectRow(0);
    updateState();
  });
  connect(m_table, &QTableView::clicked, this, &ChoicePopup::accept);
  // The choices belong to the previous schedule, so the popup closes when another one is shown.
  connect(&m_schedule, &ScheduleFlow::shownChanged, this, &QWidget::hide);
  hide();
}

void ChoicePopup::ask(const QString &title, std::optional<pipeline::StageId> stage, Filter filter,
                      QRect where, std::optional<schedule::DecisionColumn> column) {
  m_stages = stage ? std::vector{*stage} : std::vector<pipeline::StageId>();
  m_column = column;
  Search search;
  if (const auto &choices = m_schedule.service().choices)
    search = [choices, stage](const auto &schedule, const auto &machine, std::stop_token stop,
                              const auto &found) {
      return choices(schedule, stage, machine, std::move(stop), found);
    };
  open(title, std::move(search), std::move(filter), where);
}

void ChoicePopup::askForAll(const QString &title, std::vector<pipeline::StageId> stages,
                            schedule::DecisionColumn column, Filter filter, QRect where) {
  m_stages = stages;
  m_column = column;
  Search search;
  if (const auto &choices = m_schedule.service().sharedChoices)
    search = [choices, stages = std::move(stages),
              column](const auto &schedule, const auto &machine, std::stop_token stop,
                      const auto &found) {
      return choices(schedule, stages, column, machine, std::move(stop), found);
    };
  open(title, std::move(search), std::move(filter), where);
}

void ChoicePopup::open(const QString &title, Search search, Filter filter, QRect where) {
  const ShownSchedulePtr &shown = m_schedule.shown();
  m_title->setText(title);
  m_typed = {};
  m_filter->clear();
  // With a filter, the choices are those of one cell, so the column that names their decision is
  // not needed.
  m_table->setColumnHidden(ChoiceModel::Decision, bool(filter));
  m_model.clear(shown ? shown->found.prediction.seconds : 0,
                m_documents.hasDocument() ? measuredIn(m_documents.document())
                                          : ChoiceModel::MeasuredSeconds());
  m_table->setColumnHidden(ChoiceModel::Measured, !m_model.knowsMeasured());
  look(std::move(search), std::move(filter));
  updateState();
  fit();
  resize(kSize);
  place(where);
  show();
  m_filter->setFocus();
}

void ChoicePopup::look(Search search, Filter filter) {
  const ShownSchedulePtr &shown = m_schedule.shown();
  m_isLooking = false;
  if (!shown || m_schedule.isRunning() || !search) return;
  m_isLooking = true;
  m_bridge.runStaged<Done, document::Choices>(
      kChoicesTag, {},
      [search = std::move(search),
       shown](const job::JobContext &job,
              const std::function<void(document::Choices)> &tell) -> Status {
        // Only the latest report arrives, so each report contains all choices found so far.
        document::Choices all;
        return search(shown->found.schedule, shown->machine.toStdString(), job.stop,
                      [&](document::Choices more) {
                        std::move(more.begin(), more.end(), std::back_inserter(all));
                        tell(all);
                      });
      },
      this, [this, filter](document::Choices all) { take(std::move(all), filter); },
      [this](const Status &) {
        m_isLooking = false;
        lookForTyped();
        updateState();
      });
}

// The filter finds the listed choices by their texts at once. This function asks the engine which
// other values the typed text can mean, and why a value is not legal.
void ChoicePopup::lookForTyped() {
  m_bridge.cancelTag(kTypedTag);
  m_isLookingForTyped = false;
  m_typed = {};
  m_model.setTyped({});
  m_proxy.invalidate();
  const ShownSchedulePtr &shown = m_schedule.shown();
  const std::string text = m_filter->text().trimmed().toStdString();
  if (!shown || m_schedule.isRunning() || text.empty() || !m_schedule.service().typed) return;
  m_isLookingForTyped = true;
  using Typed = std::shared_ptr<document::TypedChoices>;
  m_bridge.run<Typed>(
      kTypedTag, {},
      [typed = m_schedule.service().typed, shown, stages = m_stages, column = m_column,
       text](const job::JobContext &job) -> Result<Typed> {
        auto found = typed(shown->found.schedule, stages, column, text,
                           shown->machine.toStdString(), job.stop);
        if (!found) return found.error();
        return std::make_shared<document::TypedChoices>(std::move(*found));
      },
      this,
      [this](const Result<Typed> &found) {
        m_isLookingForTyped = false;
        if (!found) return;
        m_typed = std::move(**found);
        m_model.setTyped(m_typed.legal);
        m_proxy.invalidate();
        if (!m_table->currentIndex().isValid()) m_table->selectRow(0);
        updateState();
        fit();
      });
}

QString ChoicePopup::nothingText() const {
  const int stages = int(m_stages.size());
  if (stages > 1)
    return tr("No other value is legal for all %1 stages while everything else stays as it is.",
              nullptr, stages)
        .arg(stages);
  if (const ShownSchedulePtr &shown = m_schedule.shown(); shown && stages == 1)
    if (const auto refused = document::refusedByExtern(shown->found.schedule, m_stages.front(), {}))
      return QString::fromStdString(refused->reason);
  return tr("No other value is legal here while everything else stays as it is.");
}

QString ChoicePopup::noneText() const {
  if (!m_typed.refused.empty()) {
    const document::RefusedChoice &first = m_typed.refused.front();
    const int more = int(m_typed.refused.size()) - 1;
    const QString why =
        tr("%1 is not legal: %2")
            .arg(QString::fromStdString(first.value), QString::fromStdString(first.reason));
    return more > 0 ? tr("%1 (and %n more that are not legal)", nullptr, more).arg(why) : why;
  }
  if (!m_typed.current.empty())
    return tr("%1 is the current value.").arg(QString::fromStdString(m_typed.current.front()));
  return tr("No value contains “%1”.").arg(m_filter->text().trimmed());
}

void ChoicePopup::take(document::Choices choices, const Filter &filter) {
  if (filter)
    std::erase_if(choices, [&](const document::Choice &choice) { return !filter(choice); });
  const std::size_t known = std::size_t(m_model.listedCount());
  choices.erase(choices.begin(), choices.begin() + std::ptrdiff_t(std::min(known, choices.size())));
  m_model.append(std::move(choices));
  if (!m_table->currentIndex().isValid()) m_table->selectRow(0);
  updateState();
  fit();
}

// No column is wider than its texts need, and the popup is not higher than its rows need.
void ChoicePopup::fit() {
  for (int column = 0; column < m_model.columnCount(); ++column)
    if (column != ChoiceModel::Value)
      m_table->setColumnWidth(column, contentWidth(*m_table, column));
  const int row = m_table->verticalHeader()->defaultSectionSize();
  const int missing = (m_proxy.rowCount() + 2) * row - m_table->height();
  resize(width(), qBound(kLeastHeight, height() + missing, kSize.height()));
}

void ChoicePopup::updateState() {
  const int shown = m_proxy.rowCount(), stages = int(m_stages.size());
  if (m_schedule.isRunning())
    m_state->setText(tr("A search is running; stop it to decide yourself."));
  else if (isLooking() && shown == 0)
    m_state->setText(tr("Looking for legal values …"));
  else if (shown == 0 && !m_filter->text().trimmed().isEmpty())
    m_state->setText(noneText());
  else if (m_isLooking)
    m_state->setText(tr("Looking for legal values …"));
  else if (m_model.rowCount() == 0)
    m_state->setText(nothingText());
  else if (shown == m_model.rowCount())
    m_state->setText(
        stages > 1 ? tr("%1 legal for all %2 stages; press Return to choose one and freeze it",
                        nullptr, stages)
                         .arg(shown)
                         .arg(stages)
                   : tr("%n legal; press Return to choose one and freeze it", nullptr, shown));
  else
    m_state->setText(tr("%1 of %2 legal values").arg(shown).arg(m_model.rowCount()));
}

QString ChoicePopup::state() const { return m_state->text(); }

void ChoicePopup::place(QRect where) {
  const QScreen *screen = QGuiApplication::screenAt(where.center());
  const QRect all = screen ? screen->availableGeometry() : QRect(where.topLeft(), kSize * 4);
  QPoint at(where.left(), where.bottom() + 2);
  if (at.y() + height() > all.bottom()) at.setY(where.top() - height() - 2);
  move(qBound(all.left(), at.x(), qMax(all.left(), all.right() - width())),
       qMax(all.top(), at.y()));
}

void ChoicePopup::accept(const QModelIndex &index) {
  if (!index.isValid()) return;
  const document::Choice choice = m_model.choiceAt(m_proxy.mapToSource(index).row());
  hide();
  if (m_stages.size() <= 1) return m_documents.choose(choice);
  m_documents.edit(
      QStringLiteral("%1: %2").arg(m_title->text(), QString::fromStdString(choice.value)),
      document::chosen(choice));
}

bool ChoicePopup::eventFilter(QObject *watched, QEvent *event) {
  if (watched == m_filter && event->type() == QEvent::KeyPress) {
    auto *key = static_cast<QKeyEvent *>(event);
    switch (key->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
      accept(m_table->currentIndex());
      return true;
    case Qt::Key_Escape:
      hide();
      return true;
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_PageUp:
    case Qt::Key_PageDown: {
      const int page = key->key() == Qt::Key_PageUp || key->key() == Qt::Key_PageDown ? 8 : 1;
      const bool isUp = key->key() == Qt::Key_Up || key->key() == Qt::Key_PageUp;
      const int row = m_table->currentIndex().row() + (isUp ? -page : page);
      if (const int rows = m_proxy.rowCount()) m_table->selectRow(qBound(0, row, rows - 1));
      return true;
    }
    default:
      break;
    }
  }
  return QFrame::eventFilter(watched, event);
}

void ChoicePopup::hideEvent(QHideEvent *event) {
  m_bridge.cancelTag(kChoicesTag);
  m_bridge.cancelTag(kTypedTag);
  QFrame::hideEvent(event);
}

} // namespace tessera::views

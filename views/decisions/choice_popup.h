// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/schedule/text/decision_text.h"
#include "views/flows/document_flow.h"
#include "views/tables/choice_filter.h"
#include "views/tables/choice_model.h"

#include <QFrame>

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

class QLabel;
class QLineEdit;
class QTableView;

namespace tessera::views {

// The legal values of a decision, or all possible changes of a stage, each with its prediction, the
// fastest first. Typing filters the list and adds values that are not listed. For an illegal value
// the popup says why it is not legal. Return chooses, Escape closes without a change.
class ChoicePopup : public QFrame {
  Q_OBJECT
public:
  // Which choices are offered; an empty function: all.
  using Filter = std::function<bool(const document::Choice &)>;

  ChoicePopup(DocumentFlow &documents, ScheduleFlow &schedule, Bridge &bridge,
              QWidget *parent = nullptr);

  // Opens beside `where`, which is in screen coordinates. Without `stage`, the popup offers changes
  // of the whole schedule. `column`: the decision that is asked about.
  void ask(const QString &title, std::optional<pipeline::StageId> stage, Filter filter, QRect where,
           std::optional<schedule::DecisionColumn> column = {});
  // As ask(), for several stages at once: every offered value is legal for all of them.
  void askForAll(const QString &title, std::vector<pipeline::StageId> stages,
                 schedule::DecisionColumn column, Filter filter, QRect where);

  QTableView &table() { return *m_table; }
  QLineEdit &filterLine() { return *m_filter; }
  QString state() const;
  bool isLooking() const { return m_isLooking || m_isLookingForTyped; }

protected:
  bool eventFilter(QObject *watched, QEvent *event) override;
  void hideEvent(QHideEvent *event) override;

private:
  // Finds the choices for a schedule on a machine.
  using Search = std::function<Status(const schedule::Schedule &, const std::string &machine,
                                      std::stop_token, const document::ChoicesCallback &)>;
  void open(const QString &title, Search search, Filter filter, QRect where);
  void look(Search search, Filter filter);
  void lookForTyped();
  QString nothingText() const; // where no other value is legal
  QString noneText() const;    // why no choice is left
  void take(document::Choices choices, const Filter &filter);
  void accept(const QModelIndex &index);
  void place(QRect where);
  void updateState();
  void fit();

  DocumentFlow &m_documents;
  ScheduleFlow &m_schedule;
  Bridge &m_bridge;
  ChoiceModel m_model;
  ChoiceFilter m_proxy;
  QLabel *m_title = nullptr, *m_state = nullptr;
  QLineEdit *m_filter = nullptr;
  QTableView *m_table = nullptr;
  bool m_isLooking = false, m_isLookingForTyped = false;
  // The stages and the cell that are asked about; no stage: the whole schedule.
  std::vector<pipeline::StageId> m_stages;
  std::optional<schedule::DecisionColumn> m_column;
  document::TypedChoices m_typed;
};

} // namespace tessera::views

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/schedule/text/decision_text.h"
#include "views/flows/document_flow.h"
#include "views/tables/choice_model.h"

#include <QFrame>
#include <QSortFilterProxyModel>

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
// fastest first. Typing filters, Return chooses, Escape closes without a change.
class ChoicePopup : public QFrame {
  Q_OBJECT
public:
  // Which choices are offered; an empty function: all.
  using Filter = std::function<bool(const document::Choice &)>;

  ChoicePopup(DocumentFlow &documents, ScheduleFlow &schedule, Bridge &bridge,
              QWidget *parent = nullptr);

  // Opens beside `where`, which is in screen coordinates. Without `stage`, the popup offers changes
  // of the whole schedule.
  void ask(const QString &title, std::optional<pipeline::StageId> stage, Filter filter,
           QRect where);
  // As ask(), for several stages at once: every offered value is legal for all of them.
  void askForAll(const QString &title, std::vector<pipeline::StageId> stages,
                 schedule::DecisionColumn column, Filter filter, QRect where);

  QTableView &table() { return *m_table; }
  QLineEdit &filterLine() { return *m_filter; }
  QString state() const;
  bool isLooking() const { return m_isLooking; }

protected:
  bool eventFilter(QObject *watched, QEvent *event) override;
  void hideEvent(QHideEvent *event) override;

private:
  // Finds the choices for a schedule on a machine.
  using Search = std::function<Status(const schedule::Schedule &, const std::string &machine,
                                      std::stop_token, const document::ChoicesCallback &)>;
  void open(const QString &title, Search search, Filter filter, QRect where);
  void look(Search search, Filter filter);
  void take(document::Choices choices, const Filter &filter);
  void accept(const QModelIndex &index);
  void place(QRect where);
  void updateState();
  void fitHeight();

  DocumentFlow &m_documents;
  ScheduleFlow &m_schedule;
  Bridge &m_bridge;
  ChoiceModel m_model;
  QSortFilterProxyModel m_proxy;
  QLabel *m_title = nullptr, *m_state = nullptr;
  QLineEdit *m_filter = nullptr;
  QTableView *m_table = nullptr;
  bool m_isLooking = false;
  int m_stages = 1; // number of stages that a choice would change
};

} // namespace tessera::views

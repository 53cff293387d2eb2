// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/flows/document_flow.h"
#include "views/flows/selection.h"
#include "views/tables/decision_model.h"
#include "views/tables/different_filter.h"

#include <QWidget>

#include <vector>

class QComboBox;
class QLabel;
class QLineEdit;
class QMenu;
class QPushButton;
class QStackedWidget;
class QTableView;
class QToolButton;

namespace tessera::views {

class ChoicePopup;
class EmptyNote;

// All decisions as a table. Return offers the legal values of a cell, or of all selected cells of a
// column. Space freezes or unfreezes a cell; on a stage's name it does so for the row. Differences
// from another candidate are marked, with both values, and can be shown alone.
class DecisionPanel : public QWidget {
  Q_OBJECT
public:
  DecisionPanel(DocumentFlow &documents, ScheduleFlow &schedule, Selection &selection,
                Bridge &bridge, QWidget *parent = nullptr);
  ~DecisionPanel() override;

  // Offers the possible changes of a stage, beside `where` on the screen.
  void chooseFor(Subject subject, QRect where);
  // Unfreezes the selected decisions that are frozen. If none is frozen, freezes all of them.
  void freezeSelected();
  void freezeStage(std::optional<Subject> subject);
  // What freezeStage() would do: "Unfreeze blur_x (2 of 9 Are Frozen)"; empty: nothing.
  QString freezeText(std::optional<Subject> subject) const;
  void compareWith(std::uint64_t candidate); // 0: compares with nothing
  std::uint64_t comparedWith() const;

  DecisionModel &model() { return m_model; }
  QTableView &table() { return *m_table; }
  ChoicePopup &popup() { return *m_popup; }
  QLineEdit &filterLine() { return *m_filter; }

signals:
  void searchWanted();
  void told(const QString &note);

protected:
  bool eventFilter(QObject *watched, QEvent *event) override;

private:
  QWidget *buildTools();
  QWidget *buildEmptyPage();
  void showSchedule();
  void fillComparisons();
  bool needsFilling();
  void chooseAt(const QModelIndex &proxyIndex);
  std::vector<pipeline::StageId> selectedStages(const QModelIndex &asked) const;
  void showMenu(QPoint where);
  void copyDirectives(int row);
  void tableSelectionChanged();
  void selectionChanged(Selection::Changes changes);
  void startFromDefault();
  void fitColumns();
  void hideEmptyColumns();
  void showOnlyDifferent(bool only);
  QModelIndex source(const QModelIndex &proxyIndex) const {
    return m_proxy.mapToSource(proxyIndex);
  }

  DocumentFlow &m_documents;
  ScheduleFlow &m_schedule;
  Selection &m_selection;
  DecisionModel m_model;
  DifferentFilter m_proxy{DecisionModel::DifferentRole};
  ChoicePopup *m_popup = nullptr;
  QStackedWidget *m_pages = nullptr;
  QTableView *m_table = nullptr;
  QLineEdit *m_filter = nullptr;
  QComboBox *m_comparison = nullptr;
  QToolButton *m_onlyDifferent = nullptr;
  EmptyNote *m_noRow = nullptr;
  QStringList m_offered; // candidates that can be compared with
  bool m_following = false;
};

} // namespace tessera::views

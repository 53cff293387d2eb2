// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/candidates/search_curve.h"
#include "views/candidates/time_scatter.h"
#include "views/flows/document_flow.h"
#include "views/flows/measure_flow.h"
#include "views/tables/candidate_model.h"

#include <QElapsedTimer>
#include <QSortFilterProxyModel>
#include <QWidget>

class QHBoxLayout;
class QTableView;
class QToolButton;

namespace tessera::views {

// The candidates of the document: Return makes one current, A and B pin it, F2 renames it, Delete
// removes it from the list. All of these can be undone. Above the list, the running search is
// shown; beside the list, a chart of measured over predicted times.
class CandidatePanel : public QWidget {
  Q_OBJECT
public:
  CandidatePanel(DocumentFlow &documents, ScheduleFlow &schedule, MeasureFlow &measure,
                 CandidatePredictions &predictions, QWidget *parent = nullptr);

  CandidateModel &model() { return m_model; }
  QTableView &table() { return *m_table; }
  SearchCurve &curve() { return *m_curve; }
  TimeScatter &scatter() { return *m_scatter; }
  bool choose(std::uint64_t candidate); // selects its row; false: it is not in the table

signals:
  // The user wants to compare the candidate with the current schedule.
  void comparisonWanted(std::uint64_t candidate);
  void othersWanted(); // the user wants schedules made by other schedulers
  void told(const QString &message, bool isError);

protected:
  bool eventFilter(QObject *watched, QEvent *event) override;

private:
  void setUpTable();
  QWidget *buildTools();
  QToolButton *addTool(QHBoxLayout &row, const QString &name, const QString &text,
                       const QString &toolTip);
  void refresh();
  void refreshScatter();
  void updateMeasure();
  void searchChanged();
  void followSearch();
  void showMenu(QPoint where);
  void askForImport();
  void loadAt(const QModelIndex &proxyIndex);
  std::uint64_t currentId() const; // id of the current row's candidate; 0: none
  void pinCurrent(document::Pin pin);

  DocumentFlow &m_documents;
  ScheduleFlow &m_schedule;
  MeasureFlow &m_measuring;
  CandidateModel m_model;
  QSortFilterProxyModel m_proxy;
  SearchCurve *m_curve = nullptr;
  TimeScatter *m_scatter = nullptr;
  QTableView *m_table = nullptr;
  QToolButton *m_keep = nullptr, *m_import = nullptr, *m_others = nullptr, *m_measure = nullptr,
              *m_verify = nullptr;
  QElapsedTimer m_clock; // time of the running search
  bool m_isSearching = false;
};

} // namespace tessera::views

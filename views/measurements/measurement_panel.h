// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/measurements/output_panel.h"
#include "views/measurements/timeline_view.h"
#include "views/flows/document_flow.h"
#include "views/tables/intermediate_model.h"
#include "views/tables/measurement_model.h"

#include <QSortFilterProxyModel>
#include <QStackedWidget>

class QLabel;
class QTableView;

namespace tessera::views {

// Measurements and verifications: one row for each of them, and below the table the kernels and the
// memory of the chosen measurement, or the outputs of the chosen verification. Return makes its
// candidate the current schedule.
class MeasurementPanel : public QStackedWidget {
  Q_OBJECT
public:
  MeasurementPanel(DocumentFlow &documents, ScheduleFlow &schedule, Selection &selection,
                   MeasureFlow &measuring, Bridge &bridge, QWidget *parent = nullptr);

  MeasurementModel &model() { return m_model; }
  QTableView &table() { return *m_table; }
  TimelineView &timeline() { return *m_timeline; }
  OutputPanel &outputs() { return *m_outputs; }
  IntermediateModel &intermediates() { return m_intermediates; }

  // Selects the candidate's row, if it has one.
  void choose(std::uint64_t candidate,
              MeasurementModel::Kind kind = MeasurementModel::Kind::Measured);
  // `text` says what the user has to do for a first measurement.
  void setWhyEmpty(const QString &text);

signals:
  void told(const QString &note);
  void chartTold(const QString &message, bool isError);

private:
  QWidget *buildTable();
  QWidget *buildParts();
  void refresh();
  void showChosen();
  void colourTimeline();
  void loadAt(const QModelIndex &proxyIndex);
  static QString summaryOf(const document::KeptCandidate &candidate,
                           const measure::KeptMeasurement &measurement,
                           const measure::RunProfile &profile);

  DocumentFlow &m_documents;
  ScheduleFlow &m_schedule;
  Selection &m_selection;
  MeasurementModel m_model;
  IntermediateModel m_intermediates;
  QSortFilterProxyModel m_proxy, m_memoryProxy;
  QLabel *m_empty = nullptr, *m_summary = nullptr;
  QWidget *m_page = nullptr, *m_parts = nullptr;
  QTableView *m_table = nullptr, *m_memory = nullptr;
  TimelineView *m_timeline = nullptr;
  OutputPanel *m_outputs = nullptr;
  std::vector<std::vector<Subject>> m_subjects; // of each kernel in the timeline
  document::CandidatePtr m_shown;               // the candidate whose details are shown
  const measure::KeptMeasurement *m_shownMeasurement = nullptr; // its measurement that is shown
};

} // namespace tessera::views

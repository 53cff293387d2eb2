// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/schedule/text/decision_text.h"
#include "views/flows/shown_schedule.h"

#include <QAbstractTableModel>

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tessera::views {

// All decisions of the schedule that is shown: a row for the whole schedule, then one a stage of
// its own pipeline, stages that it adds among them; a column for each kind of decision.
class DecisionModel : public QAbstractTableModel {
  Q_OBJECT
public:
  static constexpr int kStageColumn = 0; // the others are those of schedule::DecisionColumn
  enum Role {
    SortRole = Qt::UserRole + 1,
    FrozenRole,    // Frozen
    OriginRole,    // int of schedule::Origin: the user before an import before a search
    DifferentRole, // bool: the schedule that it is compared with says something else
    DecidesRole,   // bool: there is something to decide or freeze here
    KernelRole,    // int; 0: none
  };
  enum class Frozen { No, Partly, Yes };

  explicit DecisionModel(QObject *parent = nullptr);

  void setSchedule(ShownSchedulePtr shown);
  const ShownSchedulePtr &schedule() const { return m_shown; }
  // None: with nothing. Stages are matched by name.
  void setComparison(std::optional<schedule::Schedule> other, const QString &name);

  static std::optional<schedule::DecisionColumn> columnOf(int section);
  static int sectionOf(schedule::DecisionColumn column);
  // None: the row of the whole schedule.
  std::optional<pipeline::StageId> stageAt(int row) const;
  QString nameAt(int row) const;
  // In the pipeline that is open; none for a stage that only the schedule has.
  std::optional<Subject> subjectAt(int row) const;
  std::optional<int> rowOf(Subject subject) const;
  std::vector<schedule::DecisionKey> decisionsAt(const QModelIndex &index) const;
  std::vector<schedule::DecisionKey> decisionsOfRow(int row) const;
  Frozen frozenOf(std::span<const schedule::DecisionKey> decisions) const; // of none: No
  bool isEmptyColumn(schedule::DecisionColumn column) const;               // nothing is said there
  QString titleOf(const QModelIndex &index) const;                         // "the tile of blur_x"

  int rowCount(const QModelIndex &parent = {}) const override;
  int columnCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
  struct Row {
    std::optional<pipeline::StageId> stage;
    std::string name;
    std::optional<Subject> subject;
    int kernel = 0;
  };
  // Cells are put into words when they are asked for: a search shows ten schedules a second, of
  // which a thousand stages would take a frame each.
  QString text(const Row &row, schedule::DecisionColumn column) const;
  QString otherText(const Row &row, schedule::DecisionColumn column) const; // of the comparison
  QString toolTip(const QModelIndex &index) const;
  std::vector<Row> rowsOf(const ShownSchedule &shown) const;
  bool isDifferent(const Row &row, schedule::DecisionColumn column) const;

  ShownSchedulePtr m_shown;
  std::optional<schedule::Schedule> m_other;
  QString m_otherName;
  std::map<std::string, pipeline::StageId> m_otherStages; // by name
  std::vector<Row> m_rows;
};

} // namespace tessera::views

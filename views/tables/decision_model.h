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

// All decisions of the shown schedule. The first row is the whole schedule; each further row is a
// stage of the schedule's own pipeline, including the stages that it adds. Each kind of decision
// has a column. Where it differs from the schedule that it is compared with, a cell has both
// values: "x 32×4 ≠ x 64×2", the own one first.
class DecisionModel : public QAbstractTableModel {
  Q_OBJECT
public:
  static constexpr int kStageColumn = 0; // the other columns are those of schedule::DecisionColumn
  enum Role {
    SortRole = Qt::UserRole + 1,
    FrozenRole, // Frozen
    // int of schedule::Origin. If a cell has several origins, it is User if that is one of them,
    // else Imported, else Search.
    OriginRole,
    DifferentRole, // bool: the cell differs from that of the compared schedule
    DecidesRole,   // bool: this cell can be decided or frozen
    KernelRole,    // int: number of the kernel; 0: none
    ColourRole,    // int: number of the kernel's colour; 0: none
    OwnTextRole,   // QString: the value without that of the compared schedule
    OtherTextRole, // QString: the value of the compared schedule, if it differs
  };
  enum class Frozen { No, Partly, Yes };

  explicit DecisionModel(QObject *parent = nullptr);

  void setSchedule(ShownSchedulePtr shown);
  const ShownSchedulePtr &schedule() const { return m_shown; }
  // Sets the schedule to compare with; without a value nothing is compared. Stages are matched by
  // name.
  void setComparison(std::optional<schedule::Schedule> other, const QString &name);
  bool isCompared() const { return m_other.has_value(); }
  bool differsInColumn(schedule::DecisionColumn column) const; // some row differs in it

  static std::optional<schedule::DecisionColumn> columnOf(int section);
  static int sectionOf(schedule::DecisionColumn column);
  // None: `row` is the row of the whole schedule.
  std::optional<pipeline::StageId> stageAt(int row) const;
  QString nameAt(int row) const;
  // The subject in the open pipeline; none for a stage that only the schedule has.
  std::optional<Subject> subjectAt(int row) const;
  std::optional<int> rowOf(Subject subject) const;
  std::vector<schedule::DecisionKey> decisionsAt(const QModelIndex &index) const;
  std::vector<schedule::DecisionKey> decisionsOfRow(int row) const;
  // Whether all, some or none of `decisions` are frozen; Frozen::No if `decisions` is empty.
  Frozen frozenOf(std::span<const schedule::DecisionKey> decisions) const;
  bool isEmptyColumn(schedule::DecisionColumn column) const; // no row has a text there
  QString titleOf(const QModelIndex &index) const;           // "tile of blur_x"

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
    int colour = 0;
  };
  // Text is made only for the cells that a view asks for. A search shows ten schedules a second,
  // and making the text for a thousand stages takes as long as drawing a frame.
  QString text(const Row &row, schedule::DecisionColumn column) const;
  // The text of the compared schedule.
  QString otherText(const Row &row, schedule::DecisionColumn column) const;
  QString bothTexts(const Row &row, schedule::DecisionColumn column) const;
  static QString orNothing(const QString &text);
  QString toolTip(const QModelIndex &index) const;
  std::vector<Row> rowsOf(const ShownSchedule &shown) const;
  bool isDifferent(const Row &row, schedule::DecisionColumn column) const;

  ShownSchedulePtr m_shown;
  std::optional<schedule::Schedule> m_other;
  QString m_otherName;
  std::map<std::string, pipeline::StageId, std::less<>> m_otherStages; // indexed by name
  std::vector<Row> m_rows;
};

} // namespace tessera::views

// SPDX-License-Identifier: MIT
#include "engine/document/cell_changes.h"

#include <utility>

namespace tessera::document {

using schedule::DecisionColumn;
using schedule::DecisionKind;
using schedule::Schedule;

CellChanges::CellChanges(const Schedule &schedule, std::vector<pipeline::StageId> stages,
                         DecisionColumn column)
    : m_stages(std::move(stages)), m_column(column) {
  for (const pipeline::StageId stage : m_stages)
    m_now.push_back(cellText(schedule, stage, column));
}

bool CellChanges::has(const schedule::DecisionKey &decision, const Schedule &after) const {
  // A change can alter texts in columns to which it does not belong. A change of the place or of
  // the reduction belongs only to its own column; factors do not belong to the column of tails, and
  // the order of loops does not belong to the column of tiles.
  const DecisionKind kind = decision.kind;
  if ((m_column == DecisionColumn::Compute) != (kind == DecisionKind::Compute)) return false;
  if (kind == DecisionKind::Reduction && m_column != DecisionColumn::Reduction) return false;
  if (kind == DecisionKind::Factors && m_column == DecisionColumn::Tails) return false;
  if (kind == DecisionKind::Order && m_column == DecisionColumn::Tile) return false;
  for (std::size_t i = 0; i < m_stages.size(); ++i)
    if (cellText(after, m_stages[i], m_column) != m_now[i]) return true;
  return false;
}

} // namespace tessera::document

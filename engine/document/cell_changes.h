// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/schedule.h"
#include "engine/schedule/text/decision_text.h"

#include <string>
#include <vector>

namespace tessera::document {

// Tells which changes of a schedule belong to a cell of the table of decisions, or to the cells of
// several stages in one column: those that change the text of at least one of these cells.
class CellChanges {
public:
  CellChanges(const schedule::Schedule &schedule, std::vector<pipeline::StageId> stages,
              schedule::DecisionColumn column);

  bool has(const schedule::DecisionKey &decision, const schedule::Schedule &after) const;

private:
  std::vector<pipeline::StageId> m_stages;
  schedule::DecisionColumn m_column;
  std::vector<std::string> m_now; // the texts by stage
};

} // namespace tessera::document

// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/schedule.h"
#include "engine/schedule/text/decision_text.h"

#include <string>
#include <vector>

namespace tessera::document {

// Which changes belong to a cell of the table of decisions, or to the cells of several stages in
// one column: those after which the text of one of the cells is another.
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

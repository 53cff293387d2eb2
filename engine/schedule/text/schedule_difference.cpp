// SPDX-License-Identifier: MIT
#include "engine/schedule/text/schedule_difference.h"
#include "engine/pipeline/stage_names.h"

#include <optional>
#include <utility>

namespace tessera::schedule {
namespace {

using pipeline::StageId;

class Comparison {
public:
  Comparison(const Schedule &first, const Schedule &second) : m_first(first), m_second(second) {}

  std::vector<CellDifference> run() {
    for (const DecisionColumn column : columns())
      add({}, column, settingText(m_first, column), settingText(m_second, column));
    const auto inSecond = stagesByName(*m_second.pipeline());
    const pipeline::Pipeline &pipeline = *m_first.pipeline();
    for (std::uint32_t i = 0; i < pipeline.stages().size(); ++i) {
      const std::string name = pipeline.stageName(StageId{i});
      const auto at = inSecond.find(name);
      addStage(name, StageId{i}, at == inSecond.end() ? std::nullopt : std::optional(at->second));
    }
    const auto inFirst = stagesByName(*m_first.pipeline());
    const pipeline::Pipeline &other = *m_second.pipeline();
    for (std::uint32_t i = 0; i < other.stages().size(); ++i)
      if (const std::string name = other.stageName(StageId{i}); !inFirst.contains(name))
        addStage(name, std::nullopt, StageId{i});
    return std::move(m_found);
  }

private:
  static std::vector<DecisionColumn> columns() {
    std::vector<DecisionColumn> all;
    for (int c = 0; c < kDecisionColumns; ++c)
      all.push_back(static_cast<DecisionColumn>(c));
    return all;
  }

  static std::string textIn(const Schedule &schedule, std::optional<StageId> stage,
                            DecisionColumn column) {
    return stage ? cellText(schedule, *stage, column) : std::string();
  }

  void addStage(const std::string &name, std::optional<StageId> inFirst,
                std::optional<StageId> inSecond) {
    for (const DecisionColumn column : columns())
      add(name, column, textIn(m_first, inFirst, column), textIn(m_second, inSecond, column));
  }

  void add(const std::string &stage, DecisionColumn column, std::string first, std::string second) {
    if (first != second) m_found.push_back({stage, column, std::move(first), std::move(second)});
  }

  const Schedule &m_first, &m_second;
  std::vector<CellDifference> m_found;
};

} // namespace

std::vector<CellDifference> differencesBetween(const Schedule &first, const Schedule &second) {
  return Comparison(first, second).run();
}

} // namespace tessera::schedule

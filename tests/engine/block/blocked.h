// SPDX-License-Identifier: MIT
#pragma once

#include "engine/block/stage_block.h"
#include "tests/engine/schedule/scheduled.h"

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace tessera::block::testing {

// The blocks of a schedule given in a few lines, on an H200 unless the test names another machine.
class Blocked {
public:
  Blocked(std::string_view pipeline, std::string_view directives, machine::Machine machine = {})
      : m_machine(std::move(machine)),
        m_schedule(schedule::testing::scheduled(pipeline, directives)),
        m_prediction(cost::predict(m_schedule, m_machine)) {}

  const schedule::Schedule &schedule() const { return m_schedule; }
  const machine::Machine &machine() const { return m_machine; }
  const cost::Prediction &prediction() const { return m_prediction; }
  pipeline::StageId stage(std::string_view name) const {
    return schedule::testing::stageOf(m_schedule, name);
  }
  StageBlock of(std::string_view name) const {
    auto block = stageBlockOf(m_schedule, m_machine, m_prediction, stage(name));
    if (!block) throw std::invalid_argument("inlined: " + std::string(name));
    return std::move(*block);
  }

private:
  machine::Machine m_machine;
  schedule::Schedule m_schedule;
  cost::Prediction m_prediction;
};

} // namespace tessera::block::testing

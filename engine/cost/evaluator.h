// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cost/known_loads.h"
#include "engine/cost/prediction.h"
#include "engine/cost/load/kernel_load.h"
#include "engine/cost/load/kernel_runs.h"
#include "engine/cost/time/kernel_time.h"
#include "engine/machine/machine.h"
#include "engine/schedule/bounds/bounds_room.h"
#include "engine/schedule/schedule.h"

#include <cstdint>
#include <span>
#include <vector>

namespace tessera::cost {

// Predicts a schedule again after each change of a decision, for a search that walks from one
// schedule to the next. Results that the change does not reach are kept. The prediction is complete
// and equal to that of predict().
//
//   changed decision                                   recomputed
//   a factor or the loops of a stage inside a          the stage's load, or those of its kernel;
//   kernel, if no func is computed in these loops      the kernel's time
//   other loops, a place, an inlined func              shapes, loops, loads that are not known yet
//   the register cap                                   times
class Evaluator {
public:
  // Predicts all funcs, as predict() does.
  Evaluator(schedule::Schedule schedule, const machine::Machine &machine);
  // Predicts only the kernels of some funcs, given in ascending order.
  Evaluator(schedule::Schedule schedule, std::span<const pipeline::FuncId> funcs,
            const machine::Machine &machine, double fromDram);
  Evaluator(const Evaluator &) = delete; // m_bounds points into m_room
  Evaluator &operator=(const Evaluator &) = delete;

  // Continues with another schedule, which may be of another pipeline, and with these funcs. Known
  // loads are reused if the pipeline is the same.
  void moveTo(schedule::Schedule schedule, std::span<const pipeline::FuncId> funcs,
              double fromDram);
  // As the other moveTo(), but `measured` already has the bounds of `funcs` in `schedule`.
  // `measured` receives the old memory of this evaluator in exchange.
  void moveTo(schedule::Schedule schedule, std::span<const pipeline::FuncId> funcs, double fromDram,
              schedule::SizesSoFar measured);

  const schedule::Schedule &schedule() const { return m_schedule; }
  void set(pipeline::FuncId func, schedule::FuncPlan plan);
  void setFactor(pipeline::StageId stage, schedule::LoopRef cut, std::int64_t factor);
  void setRegisterCap(int cap);

  // The schedule has to be legal when this is called.
  const Prediction &prediction();

private:
  // What the changes since the last prediction made stale. Each value includes the values listed
  // before it.
  enum class Stale : std::uint8_t { Times, Stages, Loops };
  // The position of a stage's load in m_prediction.
  struct Slot {
    std::uint32_t kernel = UINT32_MAX, place = 0;
  };

  void makeStale(Stale more) { m_stale = std::max(m_stale, more); }
  void makeStale(pipeline::StageId stage);
  bool isAround(pipeline::StageId stage) const;

  void renewAll();
  void renewStages();
  void load(pipeline::StageId stage);
  void loadAll(std::uint32_t kernel);
  void time(std::uint32_t kernel);

  schedule::Schedule m_schedule;
  std::vector<pipeline::FuncId> m_funcs;
  const machine::Machine &m_machine;
  bool m_isWhole = false; // true: all funcs are predicted
  schedule::ShapeRoom m_room;
  // In m_room; null until the first bounds have been found.
  const schedule::Bounds *m_bounds = nullptr;
  KernelRuns m_runs;
  LoadScratch m_scratch;
  LoadedByThread m_loaded;
  KnownLoads m_known;
  Stale m_stale = Stale::Loops;
  bool m_isMeasured = false;                // true: moveTo() received the bounds of m_schedule
  std::vector<pipeline::StageId> m_changed; // complete only while m_stale is Stale::Stages
  std::vector<Slot> m_slots;                // indexed by stage
  // `live` of each stage of each kernel, before addValuesAcross().
  std::vector<std::vector<double>> m_live;
  std::vector<KernelTimer> m_timers; // by kernel
  std::vector<bool> m_isUntimed;     // true: the kernel changed since it was last timed
  Prediction m_prediction;
};

} // namespace tessera::cost

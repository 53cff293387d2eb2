// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cost/load/kernel_load.h"
#include "engine/cost/load/kernel_runs.h"
#include "engine/cost/time/kernel_time.h"
#include "engine/cost/known_loads.h"
#include "engine/cost/prediction.h"
#include "engine/machine/machine.h"
#include "engine/schedule/schedule.h"
#include "engine/schedule/bounds/bounds_room.h"

#include <cstdint>
#include <span>
#include <vector>

namespace tessera::cost {

// Predicts a schedule again after each change of a decision, for a search that walks from one to
// the next: what the change does not reach is kept. Gives what predict() gives, all of it.
//
//   a factor or the loops of a stage in which nobody is computed   its load, its kernel's time
//   what others are computed in, a place, an inlined func          shapes, loops, what is news
//                                                                  of loads
//   the cap of registers                                           times
class Evaluator {
public:
  // Of all funcs, as predict().
  Evaluator(schedule::Schedule schedule, const machine::Machine &machine);
  // Of the kernels of some funcs alone, by rising number.
  Evaluator(schedule::Schedule schedule, std::span<const pipeline::FuncId> funcs,
            const machine::Machine &machine, double fromDram);
  Evaluator(const Evaluator &) = delete; // its timers look at the machine
  Evaluator &operator=(const Evaluator &) = delete;

  // Another schedule, of other funcs maybe: loads that it has seen before are known.
  void moveTo(schedule::Schedule schedule, std::span<const pipeline::FuncId> funcs,
              double fromDram);
  // The same, where some of the funcs are measured already. Takes that, and leaves room.
  void moveTo(schedule::Schedule schedule, std::span<const pipeline::FuncId> funcs, double fromDram,
              schedule::SizesSoFar measured);

  const schedule::Schedule &schedule() const { return m_schedule; }
  void set(pipeline::FuncId func, schedule::FuncPlan plan);
  void setFactor(pipeline::StageId stage, schedule::LoopRef cut, std::int64_t factor);
  void setRegisterCap(int cap);

  // The schedule has to be legal by now.
  const Prediction &prediction();

private:
  // What the changes since the last prediction have made stale, each with all before it.
  enum class Stale : std::uint8_t { Times, Stages, Loops };
  // Where the load of a stage is.
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
  bool m_isWhole = false; // all funcs
  schedule::ShapeRoom m_room;
  const schedule::Bounds *m_bounds = nullptr; // in that room, once something is measured
  KernelRuns m_runs;
  LoadScratch m_scratch;
  LoadedByThread m_loaded;
  KnownLoads m_known;
  Stale m_stale = Stale::Loops;
  bool m_isMeasured = false;                // as far as it reaches; by somebody else
  std::vector<pipeline::StageId> m_changed; // where Stale::Stages is all
  std::vector<Slot> m_slots;                // by stage
  std::vector<std::vector<double>> m_live;  // by kernel and stage: without values across stages
  std::vector<KernelTimer> m_timers;        // by kernel
  std::vector<bool> m_isUntimed;            // by kernel: not as it was timed last
  Prediction m_prediction;
};

} // namespace tessera::cost

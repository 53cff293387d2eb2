// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/pipeline.h"
#include "engine/report/promise.h"
#include "engine/schedule/decision.h"
#include "engine/schedule/derivation.h"
#include "engine/schedule/persistent_array.h"
#include "engine/schedule/plan.h"

#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace tessera::schedule {

struct Settings {
  // Halide's CUDA runtime compiles with at most so many registers a thread; 64 if nobody says
  // otherwise.
  int registerCap = 64;
  std::vector<report::Promise> promises;

  friend bool operator==(const Settings &, const Settings &) = default;
};

// A decision for everything: the value that undo, difference, search, export and freeze work on.
//
// It stands on a pipeline that already has the stages that it adds; ids are of that one. Copies
// share structure. Two schedules are equal when their decisions are, whoever made them: marks do
// not count.
class Schedule {
public:
  // Every func a kernel of its own with plain loops: a start, not yet legal on a GPU.
  explicit Schedule(pipeline::PipelinePtr base);

  const pipeline::PipelinePtr &base() const { return m_base; }
  const pipeline::PipelinePtr &pipeline() const { return m_pipeline; }
  std::span<const Derivation> derivations() const { return *m_derivations; }

  const FuncPlan &plan(pipeline::FuncId func) const { return m_plans[index(func)].plan; }
  const StagePlan &plan(pipeline::StageId stage) const {
    const pipeline::Stage &of = m_pipeline->stage(stage);
    return plan(of.func).stages[of.index];
  }
  void set(pipeline::FuncId func, FuncPlan plan);
  // One factor of a nest, that of the split that cuts off `cut`: nothing is copied where no copy
  // of the schedule has the same plan.
  void setFactor(pipeline::StageId stage, LoopRef cut, std::int64_t factor);

  // Adds a stage. Ids behind it move, places move along; its own plan is that of a kernel with
  // plain loops, and so is that of the funcs whose loops it changed.
  Status add(const Derivation &derivation);
  // Many at once; those that cannot be are left out.
  Status addPossible(std::span<const Derivation> derivations);
  // Takes stages that it added away again, and their marks. Refuses where others are made from
  // them, or computed in their loops.
  Status drop(const std::set<std::string> &added);

  const Settings &settings() const { return *m_settings; }
  void set(Settings settings);

  Mark mark(const DecisionKey &key) const;
  const Marks &marks() const { return *m_marks; }
  void setMark(const DecisionKey &key, Mark mark);
  void setMarks(Marks marks);

  // The same on every machine and in every run.
  std::uint64_t hash() const { return m_hash; }
  // Coarser ones, for buckets of alike schedules: 0 who is fused into whom, 1 and at which kind of
  // loop, 2 and storage, 3 and kinds and order of loops, 4 and the size class of factors, 5 all.
  std::uint64_t hash(int depth) const;

  friend bool operator==(const Schedule &a, const Schedule &b);
  // Funcs with other plans in another schedule of the same pipeline, by rising number.
  std::vector<pipeline::FuncId> plannedOtherwise(const Schedule &other) const;

private:
  struct HashedPlan {
    FuncPlan plan;
    std::uint64_t hash = 0;
  };
  void reset(pipeline::PipelinePtr pipeline, std::vector<FuncPlan> plans);
  // Onto a pipeline with other added stages; of those that both have, what is decided stays.
  void moveTo(pipeline::PipelinePtr pipeline, std::vector<Derivation> derivations);
  std::uint64_t settingsHash() const;

  pipeline::PipelinePtr m_base, m_pipeline;
  std::shared_ptr<const std::vector<Derivation>> m_derivations;
  std::shared_ptr<const Settings> m_settings;
  std::shared_ptr<const Marks> m_marks;
  PersistentArray<HashedPlan> m_plans;
  std::uint64_t m_hash = 0; // sum over plans and settings, so that an edit changes one term
};

// Stages that read a func, directly or through inlined ones; one may come twice.
std::vector<pipeline::StageId> readersOf(const Schedule &schedule, pipeline::FuncId func);

} // namespace tessera::schedule

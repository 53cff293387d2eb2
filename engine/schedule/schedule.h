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
  // Halide's CUDA runtime compiles kernels with at most this many registers a thread. Its default
  // is 64.
  int registerCap = 64;
  std::vector<report::Promise> promises;

  friend bool operator==(const Settings &, const Settings &) = default;
};

// All decisions about a pipeline: the value that undo, difference, search, export and freeze work
// on.
//
// A schedule refers to a pipeline that already has the stages it adds; ids are those of that
// pipeline. Copies share structure. Two schedules with the same decisions are equal, whoever made
// them: marks do not count.
class Schedule {
public:
  // Every func becomes a kernel of its own with plain loops: a start, not yet legal on a GPU.
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
  // Sets one factor of a nest: that of the split that cuts off `cut`. Nothing is copied where no
  // copy of the schedule shares the plan.
  void setFactor(pipeline::StageId stage, LoopRef cut, std::int64_t factor);

  // Adds a stage. Later ids move, and places move with them. The new func is a kernel with plain
  // loops. Funcs whose loops the stage changes become such kernels again.
  Status add(const Derivation &derivation);
  // Adds many stages at once and leaves out those that are refused.
  Status addPossible(std::span<const Derivation> derivations);
  // Removes added stages and their marks. Refuses where other stages are made from them or are
  // computed in their loops.
  Status drop(const std::set<std::string> &added);

  const Settings &settings() const { return *m_settings; }
  void set(Settings settings);

  Mark mark(const DecisionKey &key) const;
  const Marks &marks() const { return *m_marks; }
  void setMark(const DecisionKey &key, Mark mark);
  void setMarks(Marks marks);

  // The same on every machine and in every run.
  std::uint64_t hash() const { return m_hash; }
  // Coarser hashes, for buckets of similar schedules. Depth 0: who is fused into whom; 1: also at
  // which kind of loop; 2: also storage; 3: also kinds and order of loops; 4: also the size class
  // of factors; 5: everything.
  std::uint64_t hash(int depth) const;

  friend bool operator==(const Schedule &a, const Schedule &b);
  // The funcs whose plan differs in another schedule of the same pipeline, by rising number.
  std::vector<pipeline::FuncId> plannedOtherwise(const Schedule &other) const;

private:
  struct HashedPlan {
    FuncPlan plan;
    std::uint64_t hash = 0;
  };
  void reset(pipeline::PipelinePtr pipeline, std::vector<FuncPlan> plans);
  // Moves to a pipeline with other added stages. Funcs that both pipelines have keep their
  // decisions.
  void moveTo(pipeline::PipelinePtr pipeline, std::vector<Derivation> derivations);
  std::uint64_t settingsHash() const;

  pipeline::PipelinePtr m_base, m_pipeline;
  std::shared_ptr<const std::vector<Derivation>> m_derivations;
  std::shared_ptr<const Settings> m_settings;
  std::shared_ptr<const Marks> m_marks;
  PersistentArray<HashedPlan> m_plans;
  std::uint64_t m_hash = 0; // sum over plans and settings, so that an edit changes one term
};

// The stages that read a func, directly or through inlined funcs. A stage may occur twice.
std::vector<pipeline::StageId> readersOf(const Schedule &schedule, pipeline::FuncId func);

} // namespace tessera::schedule

// SPDX-License-Identifier: MIT
#include "engine/document/moves.h"

#include "engine/cost/prediction.h"
#include "engine/schedule/rules/legality.h"
#include "engine/schedule/rules/rules_extern.h"
#include "engine/schedule/text/decision_text.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace tessera::document {

using pipeline::FuncId;
using pipeline::Pipeline;
using pipeline::StageId;
using schedule::DecisionKey;
using schedule::DecisionKind;
using schedule::FuncPlan;
using schedule::LoopKind;
using schedule::LoopNest;
using schedule::Origin;
using schedule::Place;
using schedule::Rule;
using schedule::Schedule;

namespace {

constexpr int kMostRepairs = 12;

DecisionKey computeOf(FuncId func) { return {func, 0, DecisionKind::Compute, 0}; }

class Mover {
public:
  Mover(const Schedule &schedule, StageId stage, const machine::Machine &machine,
        std::stop_token stop)
      : m_schedule(schedule), m_pipeline(*schedule.pipeline()), m_machine(machine),
        m_stop(std::move(stop)), m_func(m_pipeline.stage(stage).func) {
    int number = 0;
    for (const cost::Prediction::Kernel &kernel : cost::predict(schedule, machine).kernels)
      m_kernelOf[kernel.load.stage] = ++number;
    m_kernels = number;
  }

  void run(const MovesCallback &found) {
    const std::set<int> own = kernelsOf(m_func);
    std::map<int, std::vector<Place>> ways; // places for m_func, by kernel
    std::vector<Place> inlined, root;
    for (const Place &place : placesOf(m_schedule, m_func))
      if (place.kind == Place::Kind::Inline)
        inlined.push_back(place);
      else if (place.kind == Place::Kind::Root)
        root.push_back(place);
      else if (const int kernel = kernelAt(place.stage); !own.contains(kernel))
        ways[kernel].push_back(place);
    std::vector<Move> unrelated;
    std::vector<int> related;
    for (int kernel = 1; kernel <= m_kernels; ++kernel) {
      if (own.contains(kernel)) continue;
      if (ways.contains(kernel) || readsOf(kernel))
        related.push_back(kernel);
      else
        unrelated.push_back({.kind = Move::Kind::Fuse,
                             .kernel = kernel,
                             .with = ownerOf(kernel),
                             .isNeighbour = false,
                             .moved = name(m_func),
                             .refusal = noReader()});
    }
    found(std::move(unrelated));
    const FuncPlan &plan = m_schedule.plan(m_func);
    Move inlining = best(Move::Kind::Inline, 0, m_func, inlined, whyNotInline());
    inlining.isThere = plan.isInline();
    found({std::move(inlining)});
    const bool isKernel = plan.isRoot() && !m_pipeline.func(m_func).externCall;
    Move splitting =
        best(Move::Kind::OwnKernel, 0, m_func, root,
             isKernel ? name(m_func) + " has a kernel of its own already" : noReader());
    splitting.isThere = isKernel;
    found({std::move(splitting)});
    for (const int kernel : related) {
      if (m_stop.stop_requested()) return;
      Move move = best(Move::Kind::Fuse, kernel, m_func, ways[kernel], noReader());
      if (!move.isLegal())
        if (const auto other = readsOf(kernel)) {
          // m_func cannot move into the kernel. Tries the reverse: the func of that kernel moves
          // into a kernel of m_func.
          std::vector<Place> back;
          for (const Place &place : placesOf(m_schedule, *other))
            if (place.kind == Place::Kind::At && own.contains(kernelAt(place.stage)))
              back.push_back(place);
          Move other_way = best(Move::Kind::Fuse, kernel, *other, back, move.refusal);
          if (other_way.isLegal() || !back.empty()) move = std::move(other_way);
        }
      found({std::move(move)});
    }
  }

private:
  const std::string &name(FuncId func) const { return m_pipeline.func(func).name; }
  // Why an extern stage or what it reads cannot be moved. Empty for other funcs.
  std::string whyAtBoundary() const {
    const pipeline::Func &func = m_pipeline.func(m_func);
    return func.externCall ? schedule::whyUndecided(func) : schedule::whyWhole(m_pipeline, m_func);
  }
  std::string noReader() const {
    if (std::string why = whyAtBoundary(); !why.empty()) return why;
    return m_pipeline.func(m_func).isOutput
               ? name(m_func) + " is an output, which has a kernel of its own"
               : "no stage of the chosen kernel reads " + name(m_func);
  }
  std::string whyNotInline() const {
    const pipeline::Func &func = m_pipeline.func(m_func);
    return m_schedule.plan(m_func).isInline() ? func.name + " is inlined already"
           : func.isAtBoundary()              ? whyAtBoundary()
           : func.isOutput                    ? func.name + " is an output and cannot be inlined"
                                              : func.name + " has updates and cannot be inlined";
  }

  std::string ownerOf(int kernel) const {
    for (const auto &[stage, number] : m_kernelOf)
      if (number == kernel) return m_pipeline.stageName(stage);
    return {};
  }

  // The stage of a root func in whose blocks the given stage is computed; nullopt if the given
  // stage is inlined.
  std::optional<StageId> rootOf(const Schedule &schedule, StageId stage) const {
    for (;;) {
      const FuncPlan &plan = schedule.plan(m_pipeline.stage(stage).func);
      if (plan.isRoot()) return stage;
      if (plan.isInline()) return std::nullopt;
      stage = plan.compute.stage;
    }
  }

  int kernelAt(StageId stage) const {
    const auto root = rootOf(m_schedule, stage);
    const auto at = root ? m_kernelOf.find(*root) : m_kernelOf.end();
    return at == m_kernelOf.end() ? 0 : at->second;
  }

  std::set<int> kernelsOf(FuncId func) const {
    std::set<int> kernels;
    const pipeline::Func &of = m_pipeline.func(func);
    // An inlined func is in no kernel: to fuse it means to compute it in a kernel.
    if (m_schedule.plan(func).isInline()) return kernels;
    for (std::uint32_t s = 0; s < of.stageCount; ++s)
      kernels.insert(kernelAt(static_cast<StageId>(pipeline::index(of.firstStage) + s)));
    return kernels;
  }

  // The func that owns a kernel, if a stage in the kernels of m_func reads it.
  std::optional<FuncId> readsOf(int kernel) const {
    const std::set<int> own = kernelsOf(m_func);
    for (const auto &[stage, number] : m_kernelOf) {
      if (number != kernel) continue;
      const FuncId owner = m_pipeline.stage(stage).func;
      for (const StageId reader : readersOf(m_schedule, owner))
        if (own.contains(kernelAt(reader)) && owner != m_func) return owner;
    }
    return std::nullopt;
  }

  static std::vector<FuncPlan> plansOf(const Schedule &schedule, FuncId func) {
    std::vector<FuncPlan> plans;
    for (schedule::Edit &edit :
         schedule::proposals(schedule, schedule.pipeline()->func(func).firstStage))
      if (edit.decision.kind == DecisionKind::Compute) plans.push_back(std::move(edit.plan));
    return plans;
  }

  static std::vector<Place> placesOf(const Schedule &schedule, FuncId func) {
    std::vector<Place> places;
    for (const FuncPlan &plan : plansOf(schedule, func))
      places.push_back(plan.compute);
    return places;
  }

  // Moves the func to the place and replaces its loops by ones that are legal there. Returns false
  // if the place is not among the proposed ones.
  static bool place(Schedule &schedule, FuncId func, const Place &at) {
    if (schedule.plan(func).compute == at) return true;
    for (FuncPlan &plan : plansOf(schedule, func))
      if (plan.compute == at) {
        schedule.set(func, std::move(plan));
        return true;
      }
    return false;
  }

  // The funcs that are computed inside the loops of `func`, readers first.
  std::vector<FuncId> insideOf(const Schedule &schedule, FuncId func) const {
    std::vector<FuncId> inside;
    for (std::size_t f = m_pipeline.funcs().size(); f-- > 0;) {
      const FuncPlan *plan = &schedule.plan(static_cast<FuncId>(f));
      while (plan->compute.kind == Place::Kind::At) {
        const FuncId around = m_pipeline.stage(plan->compute.stage).func;
        if (around == func) {
          inside.push_back(static_cast<FuncId>(f));
          break;
        }
        plan = &schedule.plan(around);
      }
    }
    return inside;
  }

  // The place at the innermost block loop of a kernel: a func placed there is computed once per
  // block.
  static std::optional<Place> inBlocksOf(const Schedule &schedule, StageId stage) {
    const LoopNest &nest = schedule.plan(stage).nest;
    for (const schedule::Loop &loop : nest.loops) // innermost first
      if (loop.kind == LoopKind::Block) return Place::at(stage, loop.ref);
    return std::nullopt;
  }

  struct Way {
    Schedule schedule;
    std::set<FuncId> along;
  };

  // Returns nullopt if the func cannot move to the place. `refusal` keeps the first violation of
  // all calls; only a message about a frozen func that would have to move replaces it.
  std::optional<Way> tried(FuncId func, const Place &at, std::string &refusal) const {
    Way way{m_schedule, {}};
    const std::vector<FuncId> inside = insideOf(m_schedule, func);
    for (const FuncId companion : inside) {
      if (!place(way.schedule, companion, Place::root())) return std::nullopt;
      way.along.insert(companion);
    }
    if (!place(way.schedule, func, at)) return std::nullopt;
    for (const FuncId companion : inside)
      if (!place(way.schedule, companion, companionPlace(way.schedule, func, at)))
        return std::nullopt;
    for (int i = 0; i < kMostRepairs; ++i) {
      const auto wrong = schedule::check(way.schedule, m_machine);
      if (wrong.empty()) break;
      const schedule::Violation &first = wrong.front();
      const FuncId lost = first.decision.func;
      if (refusal.empty()) refusal = first.message;
      if (first.rule != Rule::PlaceEncloses || lost == func || i + 1 == kMostRepairs ||
          !place(way.schedule, lost, Place::root()))
        return std::nullopt;
      way.along.insert(lost);
    }
    for (const auto &[decision, mark] : m_schedule.marks())
      if (mark.frozen && way.along.contains(decision.func)) {
        refusal = name(decision.func) + " would have to move too, but is frozen";
        return std::nullopt;
      }
    return way;
  }

  // The new place of a func that was computed in the moved func's loops: the same place as the
  // moved func, or the moved func's own blocks.
  static Place companionPlace(const Schedule &schedule, FuncId func, const Place &at) {
    if (at.kind == Place::Kind::At) return at;
    return inBlocksOf(schedule, schedule.pipeline()->func(func).firstStage).value_or(Place::root());
  }

  Move best(Move::Kind kind, int kernel, FuncId func, const std::vector<Place> &places,
            std::string otherwise) const {
    Move move{.kind = kind,
              .kernel = kernel,
              .with = ownerOf(kernel),
              .moved = name(func),
              .refusal = std::move(otherwise)};
    std::string refusal;
    for (const Place &at : places) {
      if (m_stop.stop_requested()) break;
      auto way = tried(func, at, refusal);
      if (!way) continue;
      const double seconds = cost::predict(way->schedule, m_machine).seconds;
      if (move.choice && move.choice->seconds <= seconds) continue;
      move.along.clear();
      for (const FuncId other : way->along) {
        way->schedule.setMark(computeOf(other), {Origin::User, false});
        move.along.push_back(name(other));
      }
      move.choice = Choice{computeOf(func), textOf(way->schedule, at), way->schedule, seconds};
    }
    if (move.choice)
      move.refusal.clear();
    else if (!refusal.empty())
      move.refusal = refusal;
    return move;
  }

  const Schedule &m_schedule;
  const Pipeline &m_pipeline;
  const machine::Machine &m_machine;
  std::stop_token m_stop;
  FuncId m_func;
  std::map<StageId, int> m_kernelOf; // number of a kernel, by the stage that owns its blocks
  int m_kernels = 0;
};

} // namespace

void movesOf(const Schedule &schedule, StageId stage, const machine::Machine &machine,
             const std::stop_token &stop, const MovesCallback &found) {
  Mover(schedule, stage, machine, stop).run(found);
}

} // namespace tessera::document

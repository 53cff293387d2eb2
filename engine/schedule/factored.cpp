// SPDX-License-Identifier: MIT
#include "engine/schedule/factored.h"

#include "engine/schedule/parts_editor.h"
#include "engine/pipeline/affine_terms.h"
#include "engine/pipeline/saturating.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

namespace tessera::schedule {

using pipeline::Access;
using pipeline::AffineTerm;
using pipeline::Atom;
using pipeline::Func;
using pipeline::FuncId;
using pipeline::IndexMap;
using pipeline::Interval;
using pipeline::LoopDim;
using pipeline::OpKind;
using pipeline::Pipeline;
using pipeline::PipelinePtr;
using pipeline::Producer;
using pipeline::Stage;

namespace {

Error refused(std::string message) { return {ErrorCode::InputRefused, std::move(message), ""}; }

// The loops of an update after its reduction loops are split. For each old loop, it also keeps the
// sum of new loops that replaces the old loop in index maps.
class SplitLoops {
public:
  explicit SplitLoops(const Stage &stage) : m_loops(stage.loops) {
    for (std::uint32_t l = 0; l < m_loops.size(); ++l)
      m_sums.push_back({{AffineTerm{l, 1}}, 0});
  }

  Status split(const Factored::SplitLoop &split) {
    const auto at = find(split.loop);
    if (!at || m_loops[*at].kind != LoopDim::Kind::Reduction)
      return refused("there is no reduction loop '" + split.loop + "'");
    if (split.factor < 1)
      return refused("the factor must be at least 1, not " + std::to_string(split.factor));
    if (split.outer == split.inner) return refused("both halves are called '" + split.outer + "'");
    for (const std::string &made : {split.outer, split.inner})
      if (made != split.loop && find(made))
        return refused("there is a loop '" + made + "' already");
    const Interval range = m_loops[*at].range;
    const std::int64_t outer = (range.extent() + split.factor - 1) / split.factor;
    m_loops[*at] = {
        split.outer, LoopDim::Kind::Reduction, {0, outer - 1}, false, m_loops[*at].fixed};
    const auto inner = static_cast<std::uint32_t>(m_loops.size());
    m_loops.push_back({split.inner, LoopDim::Kind::Reduction, {0, split.factor - 1}, false, true});
    for (Sum &sum : m_sums)
      for (std::size_t t = 0; t < sum.terms.size(); ++t) {
        if (sum.terms[t].loop != *at) continue;
        const std::int64_t coefficient = sum.terms[t].coefficient;
        sum.terms[t].coefficient = coefficient * split.factor;
        sum.terms.push_back({inner, coefficient});
        sum.offset += coefficient * range.min;
        break;
      }
    return Done{};
  }

  std::vector<LoopDim> &loops() { return m_loops; }
  std::optional<std::uint32_t> find(const std::string &name) const {
    for (std::uint32_t l = 0; l < m_loops.size(); ++l)
      if (m_loops[l].name == name) return l;
    return std::nullopt;
  }

  IndexMap rewritten(IndexMap map) const {
    map.decidedBy.reset(); // cleared, because it numbers the old loops
    for (Atom &atom : map.atoms) {
      std::vector<AffineTerm> terms;
      for (const AffineTerm &term : atom.terms) {
        const Sum &sum = m_sums[term.loop];
        for (const AffineTerm &part : sum.terms)
          pipeline::addTerm(terms, {part.loop, term.coefficient * part.coefficient});
        const std::int64_t shift = term.coefficient * sum.offset;
        atom.offset = pipeline::plus(atom.offset, {shift, shift});
      }
      atom.terms = std::move(terms);
    }
    return map;
  }

private:
  struct Sum {
    std::vector<AffineTerm> terms;
    std::int64_t offset = 0;
  };
  std::vector<LoopDim> m_loops;
  std::vector<Sum> m_sums; // one sum of new loops for each old loop
};

IndexMap loopIndex(std::size_t loop) {
  IndexMap map;
  map.atoms.push_back({1, {{static_cast<std::uint32_t>(loop), 1}}});
  return map;
}

Stage initialisation(const Func &func) {
  Stage stage;
  for (std::size_t d = 0; d < func.args.size(); ++d)
    stage.loops.push_back({func.args[d], LoopDim::Kind::Pure, func.region[d]});
  stage.definition = func.name + " = identity of the reduction";
  return stage;
}

// Halide's order: the remaining reduction loops, then the dimensions, then the preserved loops.
void sortLoops(Stage &stage, const Factored &factored) {
  std::vector<std::uint32_t> order(stage.loops.size()), place(stage.loops.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto rank = [&](std::uint32_t loop) -> std::size_t {
    const auto at =
        std::ranges::find(factored.preserved, stage.loops[loop].name, &Factored::Preserved::pure);
    if (at != factored.preserved.end())
      return 2 + static_cast<std::size_t>(at - factored.preserved.begin());
    return stage.loops[loop].kind == LoopDim::Kind::Reduction ? 0 : 1;
  };
  std::ranges::stable_sort(order, {}, rank);
  std::vector<LoopDim> loops;
  for (std::uint32_t l = 0; l < order.size(); ++l) {
    place[order[l]] = l;
    loops.push_back(stage.loops[order[l]]);
  }
  stage.loops = std::move(loops);
  const auto renumber = [&](std::vector<IndexMap> &maps) {
    for (IndexMap &map : maps)
      for (Atom &atom : map.atoms) {
        for (AffineTerm &term : atom.terms)
          term.loop = place[term.loop];
        std::ranges::sort(atom.terms, {}, pipeline::placeOf);
      }
  };
  renumber(stage.store.indices);
  for (Access &load : stage.loads)
    renumber(load.indices);
}

// The update of the func with the partial results. It reduces over all reduction loops except the
// preserved ones, which become dimensions of that func.
Stage partialUpdate(const Stage &update, SplitLoops &split, const Factored &factored, FuncId self) {
  Stage partial = update;
  partial.steady.clear(); // both are cleared: they number the old loops
  partial.folded.clear();
  partial.expression.reset(); // its indices have other loops, and more of them
  partial.loops = split.loops();
  for (Access &load : partial.loads)
    for (IndexMap &map : load.indices)
      map = split.rewritten(std::move(map));
  for (IndexMap &map : partial.store.indices)
    map = split.rewritten(std::move(map));
  for (const Factored::Preserved &preserved : factored.preserved) {
    const std::uint32_t loop = *split.find(preserved.reduction);
    partial.loops[loop].name = preserved.pure;
    partial.loops[loop].kind = LoopDim::Kind::Pure;
    partial.store.indices.push_back(loopIndex(loop));
    for (Access &load : partial.loads)
      if (load.producer == Producer::func(self)) load.indices.push_back(loopIndex(loop));
  }
  partial.definition = factored.name + ": part of " + update.definition;
  sortLoops(partial, factored);
  return partial;
}

// func(args) = func(args) ⊕ parts(args, preserved)
Stage merge(const Func &func, const Stage &update, SplitLoops &split, const Factored &factored,
            FuncId parts, FuncId self) {
  Stage stage;
  for (const Factored::Preserved &preserved : factored.preserved) {
    LoopDim loop = split.loops()[*split.find(preserved.pure)];
    loop.name = preserved.reduction;
    loop.kind = LoopDim::Kind::Reduction;
    stage.loops.push_back(std::move(loop));
  }
  const std::size_t reductions = stage.loops.size();
  for (std::size_t d = 0; d < func.args.size(); ++d)
    stage.loops.push_back({func.args[d], LoopDim::Kind::Pure, func.region[d]});
  for (std::size_t e = 0; e < func.types.size(); ++e)
    for (const FuncId producer : {parts, self}) {
      Access load{Producer::func(producer)};
      load.tupleElement = static_cast<std::uint32_t>(e);
      for (std::size_t d = 0; d < func.args.size(); ++d)
        load.indices.push_back(loopIndex(reductions + d));
      if (producer == parts)
        for (std::size_t r = 0; r < reductions; ++r)
          load.indices.push_back(loopIndex(r));
      stage.loads.push_back(std::move(load));
    }
  for (const pipeline::ScalarType type : func.types) {
    stage.operations.push_back({OpKind::Add, type, 1});
    stage.operations.push_back({OpKind::Load, type, 2});
  }
  stage.store.producer = Producer::func(self);
  for (std::size_t d = 0; d < func.args.size(); ++d)
    stage.store.indices.push_back(loopIndex(reductions + d));
  stage.associative = update.associative; // merging uses the operator of the update
  stage.commutative = update.commutative;
  stage.definition = "merges " + factored.name + "; was " + update.definition;
  return stage;
}

Status preserve(SplitLoops &split, const Factored &factored, Func &parts) {
  std::set<std::string> seen;
  for (const Factored::Preserved &preserved : factored.preserved) {
    const auto at = split.find(preserved.reduction);
    if (!at || split.loops()[*at].kind != LoopDim::Kind::Reduction)
      return refused("there is no reduction loop '" + preserved.reduction + "' to preserve");
    if (!seen.insert(preserved.reduction).second)
      return refused("'" + preserved.reduction + "' is preserved twice");
    if (split.find(preserved.pure) || std::ranges::count(parts.args, preserved.pure) != 0)
      return refused("there is a loop '" + preserved.pure + "' already");
    parts.args.push_back(preserved.pure);
    parts.region.push_back(split.loops()[*at].range);
  }
  return Done{};
}

} // namespace

Result<PipelinePtr> addFactored(const Pipeline &pipeline, const Factored &factored) {
  const auto funcs = pipeline.funcs();
  const auto at = std::find_if(funcs.begin(), funcs.end(),
                               [&](const Func &func) { return func.name == factored.of; });
  if (at == funcs.end()) return refused("there is no func '" + factored.of + "'");
  const auto before = static_cast<FuncId>(at - funcs.begin());
  if (factored.stage == 0 || factored.stage >= at->stageCount)
    return refused(factored.of + " has no update " + std::to_string(factored.stage));
  if (factored.preserved.empty()) return refused("no loop of " + factored.of + " is preserved");

  const Stage &update = pipeline.stagesOf(before)[factored.stage];
  SplitLoops split(update);
  for (const Factored::SplitLoop &one : factored.splits)
    if (const Status done = split.split(one); !done) return done.error();
  Func partial = *at;
  partial.name = factored.name;
  partial.isOutput = false;
  if (const Status done = preserve(split, factored, partial); !done) return done.error();

  Stage first = initialisation(partial);
  Stage second = partialUpdate(update, split, factored, before);
  pipeline::PipelineParts parts = pipeline.parts();
  PartsEditor editor(parts);
  const FuncId added =
      editor.insert(index(before), std::move(partial), {std::move(first), std::move(second)});
  editor.redirectItself(Producer::func(before), added);
  const auto self = static_cast<FuncId>(index(before) + 1);
  // merge() looks up the preserved loops by the names that they have as dimensions of the partial
  // func.
  SplitLoops renamed = split;
  for (const Factored::Preserved &preserved : factored.preserved)
    renamed.loops()[*renamed.find(preserved.reduction)].name = preserved.pure;
  Stage merged = merge(*at, update, renamed, factored, added, self);
  merged.func = self;
  merged.index = factored.stage;
  editor.stage(self, factored.stage) = std::move(merged);
  sortLoads(parts);
  return Pipeline::create(std::move(parts));
}

} // namespace tessera::schedule

// SPDX-License-Identifier: MIT
#include "engine/pipeline/validate.h"

#include "engine/pipeline/affine_terms.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <set>

namespace tessera::pipeline {
namespace {

using Problem = std::optional<std::string>;

template <typename Range, typename Projection>
bool unique(const Range &range, Projection projection) {
  std::set<std::string> seen;
  return std::all_of(range.begin(), range.end(), [&](const auto &item) {
    const std::string &text = projection(item);
    return !text.empty() && seen.insert(text).second;
  });
}

std::string itself(const std::string &text) { return text; }

Problem checkInterval(const Interval &interval) {
  if (interval.empty()) return "an interval is empty";
  return std::nullopt;
}

Problem checkMap(const IndexMap &map, std::size_t loops) {
  if (const Problem p = checkInterval(map.offset)) return p;
  if ((map.precision == Precision::Exact) != map.reason.empty())
    return "an index map must give a reason exactly when it is not exact";
  if (map.decidedBy && static_cast<std::size_t>(std::bit_width(*map.decidedBy)) > loops)
    return "an index map is decided by a loop that does not exist";
  if (map.fixed && (map.precision != Precision::Whole || !map.offset.bounded()))
    return "an index map is marked as fixed but has no fixed range";
  for (const Atom &atom : map.atoms) {
    if (atom.scale == 0) return "an index map has scale 0";
    if (atom.divisor <= 0) return "an index map divides by " + std::to_string(atom.divisor);
    if (const Problem p = checkInterval(atom.offset)) return p;
    if (const Problem p = checkInterval(atom.clamp)) return p;
    for (std::size_t i = 0; i < atom.terms.size(); ++i) {
      if (atom.terms[i].loop >= loops) return "an index map names a loop that does not exist";
      if (atom.terms[i].coefficient == 0) return "an index map has coefficient 0";
      if (i > 0 && placeOf(atom.terms[i - 1]) >= placeOf(atom.terms[i]))
        return "the terms of an index map are not in order";
    }
  }
  return std::nullopt;
}

class Checker {
public:
  explicit Checker(const PipelineParts &parts) : m_parts(parts) {}

  Problem run() const {
    if (const Problem p = checkInputs()) return p;
    if (const Problem p = checkFuncs()) return p;
    for (std::size_t i = 0; i < m_parts.stages.size(); ++i) {
      const Stage &stage = m_parts.stages[i];
      if (const Problem p = checkStage(stage))
        return "stage " + std::to_string(stage.index) + " of '" +
               m_parts.funcs[index(stage.func)].name + "': " + *p;
    }
    if (const Problem p = checkOutputs()) return p;
    for (const FoundSchedule &found : m_parts.foundSchedule)
      if (index(found.stage) >= m_parts.stages.size())
        return "a schedule is given for a stage that does not exist";
    return checkFittingSizes();
  }

private:
  Problem checkInputs() const {
    if (!unique(m_parts.inputs, [](const Input &input) { return input.name; }))
      return "two inputs share a name, or one has none";
    for (const Input &input : m_parts.inputs) {
      if (input.isScalar && !input.dims.empty())
        return "scalar input '" + input.name + "' has dimensions";
      for (const Estimate &estimate : input.dims)
        if (estimate.range.empty()) return "input '" + input.name + "' has an empty dimension";
    }
    return std::nullopt;
  }

  Problem checkFuncs() const {
    if (!unique(m_parts.funcs, [](const Func &func) { return func.name; }))
      return "two funcs share a name, or one has none";
    std::size_t nextStage = 0;
    for (std::size_t f = 0; f < m_parts.funcs.size(); ++f) {
      const Func &func = m_parts.funcs[f];
      if (const Problem p = checkFunc(func)) return "func '" + func.name + "': " + *p;
      const bool contiguous = index(func.firstStage) == nextStage && func.stageCount >= 1 &&
                              func.stageCount <= m_parts.stages.size() - nextStage;
      if (!contiguous) return "func '" + func.name + "': its stages are not in order";
      for (std::uint32_t s = 0; s < func.stageCount; ++s, ++nextStage) {
        const Stage &stage = m_parts.stages[nextStage];
        if (index(stage.func) != f || stage.index != s)
          return "func '" + func.name + "': its stages are not in order";
      }
    }
    if (nextStage != m_parts.stages.size()) return "a stage belongs to no func";
    return std::nullopt;
  }

  static Problem checkFunc(const Func &func) {
    if (func.types.empty()) return "it has no type";
    if (!func.args.empty() && !unique(func.args, itself)) return "two arguments share a name";
    for (const std::string &bounded : func.bounded)
      if (std::ranges::find(func.args, bounded) == func.args.end())
        return "it bounds '" + bounded + "', which is not one of its arguments";
    if (func.region.size() != func.args.size())
      return "its region has a different number of dimensions";
    for (const Interval &side : func.region)
      if (side.empty() || !side.bounded()) return "its region is not bounded";
    if (!func.handed.empty() && func.handed.size() != func.args.size())
      return "what is read of it has a different number of dimensions";
    if (func.externCall && func.externCall->function.empty())
      return "it calls a function without a name";
    if (func.externCall && func.stageCount != 1) return "it is an extern stage with updates";
    return std::nullopt;
  }

  Problem checkStage(const Stage &stage) const {
    const Func &func = m_parts.funcs[index(stage.func)];
    if (!stage.loops.empty() && !unique(stage.loops, [](const LoopDim &loop) { return loop.name; }))
      return "two loops share a name";
    for (const LoopDim &loop : stage.loops) {
      const bool isArg =
          std::find(func.args.begin(), func.args.end(), loop.name) != func.args.end();
      if (loop.kind == LoopDim::Kind::Pure && !isArg)
        return "loop '" + loop.name + "' is not an argument of the func";
      if (!loop.range.bounded()) return "loop '" + loop.name + "' is not bounded";
    }
    if (func.externCall && (stage.loops.size() != func.args.size() || !stage.operations.empty()))
      return "it is an extern stage, but its loops are not its arguments, or it has operations";
    if (!haveLoops(stage.steady, stage)) return "operations depend on a loop that does not exist";
    for (const Folded &folded : stage.folded)
      if (folded.loop >= stage.loops.size() || folded.values == 0 ||
          !haveLoops(folded.steady, stage))
        return "folded operations belong to a loop that does not exist";
    for (const Access &load : stage.loads)
      if (const Problem p = checkLoad(stage, load)) return p;
    if (stage.store.producer != Producer::func(stage.func)) return "it stores to another func";
    if (stage.store.indices.size() != func.args.size())
      return "its store has a different number of dimensions than the func";
    return checkMaps(stage.store, stage.loops.size());
  }

  static bool haveLoops(const std::vector<SteadyOps> &steady, const Stage &stage) {
    return std::ranges::all_of(steady, [&](const SteadyOps &one) {
      return static_cast<std::size_t>(std::bit_width(one.loops)) <= stage.loops.size();
    });
  }

  Problem checkLoad(const Stage &stage, const Access &load) const {
    std::size_t dims = 0;
    std::size_t elements = 1;
    if (load.producer.kind == Producer::Kind::Func) {
      if (load.producer.index >= m_parts.funcs.size()) return "it loads from an unknown func";
      const std::size_t limit = index(stage.func) + (stage.index > 0 ? 1 : 0);
      if (load.producer.index >= limit) return "it loads from a func that is computed later";
      const Func &producer = m_parts.funcs[load.producer.index];
      dims = producer.args.size();
      elements = producer.types.size();
    } else {
      if (load.producer.index >= m_parts.inputs.size()) return "it loads from an unknown input";
      dims = m_parts.inputs[load.producer.index].dims.size();
    }
    if (load.indices.size() != dims) return "a load has the wrong number of indices";
    if (load.tupleElement >= elements) return "a load names a tuple element that does not exist";
    if (load.count == 0) return "a load has the count 0";
    if (load.different == 0) return "a load reads no element";
    return checkMaps(load, stage.loops.size());
  }

  static Problem checkMaps(const Access &access, std::size_t loops) {
    for (const IndexMap &map : access.indices)
      if (const Problem p = checkMap(map, loops)) return p;
    return std::nullopt;
  }

  Problem checkOutputs() const {
    if (m_parts.outputs.empty()) return "it has no output";
    std::set<std::size_t> outputs;
    for (const Output &output : m_parts.outputs) {
      if (index(output.func) >= m_parts.funcs.size()) return "an output is an unknown func";
      const Func &func = m_parts.funcs[index(output.func)];
      if (!outputs.insert(index(output.func)).second) return "'" + func.name + "' is output twice";
      if (!func.isOutput) return "output '" + func.name + "' is not marked as one";
      if (output.dims.size() != func.args.size())
        return "output '" + func.name + "' has estimates for a different number of dimensions";
    }
    for (std::size_t f = 0; f < m_parts.funcs.size(); ++f)
      if (m_parts.funcs[f].isOutput && !outputs.contains(f))
        return "'" + m_parts.funcs[f].name + "' is marked as an output but is not one";
    return std::nullopt;
  }

  Problem checkFittingSizes() const {
    for (const NamedSize &fit : m_parts.conflicts.fit) {
      const std::optional<std::size_t> dims = dimsOf(fit.name);
      if (!dims) return "a fitting size is given for '" + fit.name + "', which does not exist";
      if (fit.size.size() != *dims || std::ranges::any_of(fit.size, [](const Interval &side) {
            return side.empty() || !side.bounded();
          }))
        return "the fitting size of '" + fit.name + "' is not a size";
    }
    return std::nullopt;
  }

  // The number of dimensions of an output or of an input that is a buffer.
  std::optional<std::size_t> dimsOf(const std::string &name) const {
    for (const Output &output : m_parts.outputs)
      if (m_parts.funcs[index(output.func)].name == name) return output.dims.size();
    for (const Input &input : m_parts.inputs)
      if (input.name == name && !input.isScalar) return input.dims.size();
    return std::nullopt;
  }

  const PipelineParts &m_parts;
};

} // namespace

Status validate(const PipelineParts &parts) {
  if (const Problem problem = Checker(parts).run())
    return Error{ErrorCode::InputRefused,
                 "The description of pipeline '" + parts.name +
                     "' contradicts itself: " + *problem + ".",
                 ""};
  return Done{};
}

} // namespace tessera::pipeline

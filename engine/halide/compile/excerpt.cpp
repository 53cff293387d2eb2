// SPDX-License-Identifier: MIT
#include "engine/halide/compile/excerpt.h"

#include "engine/halide/compile/apply.h"
#include "engine/halide/capture.h"
#include "engine/halide/guard.h"
#include "engine/halide/import/graph.h"
#include "engine/halide/import/load.h"
#include "engine/halide/import/own_schedule.h"
#include "engine/halide/import/promises.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace tessera::halide {

namespace {

using Halide::Expr;
using pipeline::StoredFunc;
namespace ir = Halide::Internal;

using Functions = std::map<std::string, ir::Function>; // by Halide's name

// Whether an integer that a func holds takes part in an index or a bound of somebody else's.
class ReadsToIndex : public ir::IRVisitor {
public:
  bool found = false;
  void visitIndex(const Expr &index) {
    ++m_depth;
    index.accept(this);
    --m_depth;
  }

private:
  using IRVisitor::visit;
  void visit(const ir::Call *op) override {
    const bool isLoad = op->call_type == ir::Call::Halide || op->call_type == ir::Call::Image;
    found = found || (isLoad && m_depth > 0);
    m_depth += isLoad;
    IRVisitor::visit(op);
    m_depth -= isLoad;
  }
  int m_depth = 0;
};

// Halide has no other way to change a func that is defined than the one by which it reads a file.
void define(ir::Function &function, const std::string &name, const ir::FuncSchedule &schedule,
            const ir::Definition &definition, const std::vector<ir::Definition> &updates,
            const std::vector<Halide::Parameter> &buffers) {
  function.update_with_deserialization(
      name, function.origin_name(), function.output_types(), {}, Halide::AnyDims, function.args(),
      schedule, definition, updates, "", buffers, {}, "", Halide::NameMangling::Default,
      Halide::DeviceAPI::Host, Expr(), false, false, false, {}, false, true);
}

// The scheduled pipeline while it is cut down to one kernel.
class Cutting {
public:
  Cutting(Halide::Pipeline pipeline, const Graph &graph, const Applied &applied)
      : m_pipeline(std::move(pipeline)), m_values(graph.values) {
    collect();
    replaceWrapped();
    for (const auto &[halides, ours] : applied.made)
      if (halides != ours && m_functions.contains(halides)) rename(halides, ours);
  }

  Result<Halide::Pipeline> cut(const pipeline::Excerpt &excerpt);

private:
  void collect();
  void replaceWrapped();
  void rename(const std::string &from, const std::string &to);
  Result<ir::Function> functionOf(const std::string &name) const;
  Expr kept(const ir::Function &function, const StoredFunc &stored, std::size_t element,
            bool isIndex) const;
  void makeInput(ir::Function function, const StoredFunc &stored, bool isIndex);
  static bool hasIndirectIndex(const Functions &functions);

  Halide::Pipeline m_pipeline;
  const ir::FuncValueBounds &m_values;
  Functions m_functions; // with wrappers
};

void Cutting::collect() {
  m_functions = functionsOf(m_pipeline);
  std::vector<ir::Function> left;
  for (const auto &[name, function] : m_functions)
    left.push_back(function);
  while (!left.empty()) {
    const ir::Function function = left.back();
    left.pop_back();
    for (const auto &[consumer, wrapper] : function.wrappers())
      if (m_functions.emplace(ir::Function(wrapper).name(), ir::Function(wrapper)).second)
        left.emplace_back(wrapper);
  }
}

// Halide puts wrappers in the place of what they wrap while it lowers. Here they become funcs like
// others before, as what is wrapped may no longer be part of the pipeline.
void Cutting::replaceWrapped() {
  std::vector<std::string> order; // what is wrapped before its wrappers, as these can be wrapped
  std::set<std::string> isWrapper;
  for (const auto &[name, function] : m_functions)
    for (const auto &[consumer, wrapper] : function.wrappers())
      isWrapper.insert(ir::Function(wrapper).name());
  for (const auto &[name, function] : m_functions)
    if (!isWrapper.contains(name)) order.push_back(name);
  for (std::size_t i = 0; i < order.size(); ++i) {
    ir::Function wrapped = m_functions.at(order[i]);
    const std::map<std::string, ir::FunctionPtr> wrappers = wrapped.wrappers();
    std::set<std::string> own;
    for (const auto &[consumer, wrapper] : wrappers)
      if (own.insert(ir::Function(wrapper).name()).second)
        order.push_back(ir::Function(wrapper).name());
    const auto everywhere = wrappers.find("");
    for (auto &[name, reader] : m_functions) {
      if (own.contains(name) || name == wrapped.name()) continue;
      const auto given = wrappers.find(name);
      const auto use = given != wrappers.end() ? given : everywhere;
      if (use != wrappers.end()) reader.substitute_calls(wrapped, ir::Function(use->second));
    }
    wrapped.schedule().wrappers().clear();
  }
}

// Gives a func that a directive made the name by which the directives call it. Halide's own differs
// between runs within a process, and files and promises have to say the same.
void Cutting::rename(const std::string &from, const std::string &to) {
  ir::Function function = m_functions.at(from);
  std::vector<Halide::Parameter> buffers;
  for (std::size_t i = 0; i < function.output_types().size(); ++i)
    buffers.emplace_back(function.output_types()[i], true, function.dimensions(),
                         function.outputs() == 1 ? to : to + "." + std::to_string(i));
  define(function, to, function.schedule(), function.definition(), function.updates(), buffers);
  m_functions.erase(from);
  m_functions.emplace(to, function);
  for (auto &[name, other] : m_functions) {
    other.substitute_calls(function, function); // calls have the name, too
    ir::FuncSchedule &schedule = other.schedule();
    for (Halide::LoopLevel *level :
         {&schedule.compute_level(), &schedule.store_level(), &schedule.hoist_storage_level()}) {
      level->lock(); // only then it says what it is
      if (level->is_inlined() || level->is_root() || level->func() != from) continue;
      *level = Halide::LoopLevel(function, level->var(), level->stage_index());
      level->lock();
    }
  }
}

Result<ir::Function> Cutting::functionOf(const std::string &name) const {
  const auto at = m_functions.find(name);
  if (at != m_functions.end()) return at->second;
  return Error{ErrorCode::Usage, "the scheduled pipeline has no func \"" + name + "\"", ""};
}

// What an element of a func is read from. Where it may be an index, Halide has to see its range,
// which it saw in the func's definition.
Expr Cutting::kept(const ir::Function &function, const StoredFunc &stored, std::size_t element,
                   bool isIndex) const {
  const Halide::Type type = function.output_types()[element];
  Halide::Parameter buffer(type, true, function.dimensions(),
                           pipeline::keptInputName(stored.name, element));
  std::vector<Expr> index;
  for (std::size_t d = 0; d < stored.box.size(); ++d) {
    const std::size_t dim = stored.layout.empty() ? d : stored.layout[d];
    const pipeline::Interval &side = stored.box[dim];
    buffer.set_min_constraint_estimate(static_cast<int>(d), static_cast<int>(side.min));
    buffer.set_extent_constraint_estimate(static_cast<int>(d), static_cast<int>(side.extent()));
    index.push_back(ir::Variable::make(Halide::Int(32), function.args()[dim]));
  }
  const Expr read = ir::Call::make(buffer, index);
  const auto values = m_values.find({function.origin_name(), static_cast<int>(element)});
  if (!isIndex || type.is_float() || values == m_values.end()) return read;
  const ir::Interval &range = values->second;
  Expr value = read;
  if (range.has_lower_bound() && ir::is_const(range.min)) value = Halide::max(value, range.min);
  if (range.has_upper_bound() && ir::is_const(range.max)) value = Halide::min(value, range.max);
  return ir::simplify(value);
}

void Cutting::makeInput(ir::Function function, const StoredFunc &stored, bool isIndex) {
  std::vector<Expr> args, values;
  for (const std::string &arg : function.args())
    args.push_back(ir::Variable::make(Halide::Int(32), arg));
  for (std::size_t element = 0; element < function.output_types().size(); ++element)
    values.push_back(kept(function, stored, element, isIndex));
  ir::Definition definition(args, values, ir::ReductionDomain(), true);
  define(function, function.name(), ir::FuncSchedule(), definition, {}, function.output_buffers());
  removeSchedule(function, false, false);
}

bool Cutting::hasIndirectIndex(const Functions &functions) {
  ReadsToIndex reads;
  const auto visitUpdate = [&](const ir::Definition &update) {
    for (const Expr &arg : update.args())
      reads.visitIndex(arg);
    for (const Expr &value : update.values())
      value.accept(&reads);
    reads.visitIndex(update.predicate());
    for (const ir::ReductionVariable &variable : update.schedule().rvars()) {
      reads.visitIndex(variable.min);
      reads.visitIndex(variable.extent);
    }
  };
  for (const auto &[name, function] : functions) {
    for (const Expr &value : function.values())
      value.accept(&reads);
    for (const ir::Definition &update : function.updates())
      visitUpdate(update);
  }
  return reads.found;
}

Result<Halide::Pipeline> Cutting::cut(const pipeline::Excerpt &excerpt) {
  auto output = functionOf(excerpt.output.name);
  if (!output) return output.error();
  // First without ranges, to see which funcs are left and whether any of them reads an index.
  std::map<std::string, const StoredFunc *> inputs;
  for (const StoredFunc &input : excerpt.inputs) {
    const auto function = functionOf(input.name);
    if (!function) return function.error();
    if (input.box.size() != static_cast<std::size_t>(function->dimensions()))
      return Error{ErrorCode::Usage, "the box of \"" + input.name + "\" has other dimensions", ""};
    makeInput(*function, input, false);
    inputs.emplace(function->name(), &input);
  }
  const Functions left = ir::build_environment({*output});
  if (hasIndirectIndex(left))
    for (const auto &[name, input] : inputs)
      if (left.contains(name)) makeInput(left.at(name), *input, true);
  Halide::Func func(*output);
  for (std::size_t d = 0; d < excerpt.output.box.size() && d < output->args().size(); ++d) {
    const pipeline::Interval &side = excerpt.output.box[d];
    std::erase_if(output->schedule().estimates(),
                  [&](const ir::Bound &estimate) { return estimate.var == output->args()[d]; });
    func.set_estimate(Halide::Var(output->args()[d]), static_cast<int>(side.min),
                      static_cast<int>(side.extent()));
  }
  return Halide::Pipeline(func);
}

// The estimates under which the whole pipeline is looked at, for the inputs that are left.
void setEstimates(const Halide::Pipeline &pipeline, const Graph &graph,
                  const Estimates &estimates) {
  std::vector<std::uint8_t> ignored;
  std::map<std::string, Halide::Parameter> parameters;
  Halide::serialize_pipeline(pipeline, ignored, parameters);
  for (auto &[name, parameter] : parameters) {
    const auto at = graph.inputIndex.find(name);
    if (at == graph.inputIndex.end()) continue;
    const Estimates::Input &input = estimates.inputs[at->second];
    if (!parameter.is_buffer()) {
      if (const Expr value = scalarFromText(parameter.type(), input.scalar); value.defined())
        parameter.set_estimate(value);
      continue;
    }
    for (std::size_t d = 0; d < input.dims.size(); ++d) {
      if (input.dims[d].source == pipeline::EstimateSource::None) continue;
      const auto dim = static_cast<int>(d);
      parameter.set_min_constraint_estimate(dim, static_cast<int>(input.dims[d].range.min));
      parameter.set_extent_constraint_estimate(dim, static_cast<int>(input.dims[d].range.extent()));
    }
  }
}

} // namespace

Status writeExcerpt(const PreparedPipeline &prepared, const ExcerptOptions &options,
                    const PhaseCallback &phase) {
  auto loaded = loadPipeline(options.import.path, options.import.sidecar);
  if (!loaded) return loaded.error();
  if (phase) phase("cutting out " + options.excerpt.output.name, 0.5);
  auto applied = applyDirectives(loaded->pipeline, options.directives);
  if (!applied) return applied.error();
  if (const Status promised = applyPromises(loaded->pipeline, options.import.promises); !promised)
    return promised;
  return guarded(options.excerpt.output.name + " alone", [&]() -> Status {
    Cutting cutting(loaded->pipeline, prepared.resolved, *applied);
    auto excerpt = cutting.cut(options.excerpt);
    if (!excerpt) return excerpt.error();
    if (const Status promised = applyPromises(*excerpt, options.promises); !promised)
      return promised;
    setEstimates(*excerpt, prepared.raw, prepared.estimates);
    return capturePipeline(*excerpt, options.output);
  });
}

} // namespace tessera::halide

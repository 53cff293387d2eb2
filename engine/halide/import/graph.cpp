// SPDX-License-Identifier: MIT
#include "engine/halide/import/graph.h"

#include "engine/halide/guard.h"

#include <set>
#include <sstream>

namespace tessera::halide {

namespace {

using Halide::Expr;
using Halide::Internal::Call;
using Halide::Internal::Function;
namespace ir = Halide::Internal;

// If `function` is Halide's handle for an input (a func `NAME_im` that only repeats the input),
// returns its call of the input.
const Call *stagedInput(const Function &function) {
  if (!function.has_pure_definition() || function.has_update_definition()) return nullptr;
  if (function.values().size() != 1) return nullptr;
  const Call *call = function.values()[0].as<Call>();
  if (!call || call->call_type != Call::Image || call->args.size() != function.args().size())
    return nullptr;
  if (!function.name().starts_with(call->name + "_im")) return nullptr; // also "input_im$1"
  for (std::size_t i = 0; i < call->args.size(); ++i) {
    const auto *variable = call->args[i].as<ir::Variable>();
    if (!variable || variable->name != function.args()[i]) return nullptr;
  }
  return call;
}

class Fold : public ir::IRMutator {
public:
  explicit Fold(const std::map<std::string, const Call *> &staged) : m_staged(staged) {}

private:
  using IRMutator::visit;
  Expr visit(const Call *call) override {
    const auto staged =
        call->call_type == Call::Halide ? m_staged.find(call->name) : m_staged.end();
    if (staged == m_staged.end()) return IRMutator::visit(call);
    std::vector<Expr> args;
    for (const Expr &arg : call->args)
      args.push_back(mutate(arg));
    const Call *image = staged->second;
    return Call::make(call->type, image->name, args, Call::Image, {}, 0, image->image,
                      image->param);
  }
  const std::map<std::string, const Call *> &m_staged;
};

// Collects the funcs that are called, and the inputs that are loaded, or whose sizes or scalar
// values are used.
class FindUses : public ir::IRVisitor {
public:
  std::vector<Function> calls;
  std::vector<InputSource> inputs;

  // Halide visits the expressions that an extern stage gets, but not its buffers.
  void visitArguments(const Function &function) {
    for (const Halide::ExternFuncArgument &argument : function.extern_arguments())
      if (argument.is_func())
        addCall(Function(argument.func));
      else if (argument.is_buffer() || argument.is_image_param())
        add(argument.image_param, argument.buffer);
      else if (argument.is_expr())
        argument.expr.accept(this);
  }

private:
  using IRVisitor::visit;
  void addCall(const Function &function) {
    if (m_seen.insert(function.name()).second) calls.push_back(function);
  }
  void visit(const Call *call) override {
    if (call->call_type == Call::Halide && call->func.defined()) addCall(Function(call->func));
    if (call->call_type == Call::Image) add(call->param, call->image);
    IRVisitor::visit(call);
  }
  void visit(const ir::Variable *variable) override { add(variable->param, variable->image); }

  void add(const Halide::Parameter &param, const Halide::Buffer<> &image) {
    InputSource input;
    if (param.defined()) {
      input.name = param.name();
      input.type = param.type();
      input.dims = param.dimensions();
      input.isScalar = !param.is_buffer();
    } else if (image.defined()) {
      input.name = image.name();
      input.type = image.type();
      input.dims = image.dimensions();
      input.image = image;
    } else {
      return;
    }
    if (m_seenInputs.insert(input.name).second) inputs.push_back(input);
  }
  std::set<std::string> m_seen, m_seenInputs;
};

class Builder {
public:
  Builder(const LoadedPipeline &loaded, const PhaseCallback &phase)
      : m_loaded(loaded), m_phase(phase) {}

  Result<Graph> build() {
    for (const Halide::Func &output : m_loaded.pipeline.outputs())
      if (auto status = visit(output.function(), 0); !status) return status.error();
    for (const auto &[name, function] : m_stagedFuncs)
      if (const Call *call = stagedInput(function)) m_staged.emplace(name, call);
    for (const Function &function : m_order)
      addFunc(function);
    addInputs();
    for (const Halide::Func &output : m_loaded.pipeline.outputs()) {
      const auto index = m_graph.funcIndex.find(output.name());
      // An output that only repeats an input and is read by a func counts as a staging handle.
      if (index == m_graph.funcIndex.end())
        return Error{ErrorCode::InputRefused,
                     m_loaded.path + ": output \"" + output.name() + "\" computes nothing", ""};
      m_graph.outputs.push_back(index->second);
      m_graph.funcs[index->second].isOutput = true;
    }
    boundValues();
    return std::move(m_graph);
  }

private:
  static constexpr int kMaxDepth = 20000;

  // Visits calls depth first, so that producers come before consumers.
  Status visit(const Function &function, int depth) {
    if (!m_visited.insert(function.name()).second) return Done{};
    if (!function.has_pure_definition())
      return Error{ErrorCode::InputRefused,
                   m_loaded.path + ": func \"" + function.name() + "\" has no definition", ""};
    if (depth > kMaxDepth)
      return Error{ErrorCode::InputRefused,
                   m_loaded.path + ": more than " + std::to_string(kMaxDepth) +
                       " funcs in a chain at \"" + function.name() + "\"",
                   ""};
    FindUses uses;
    function.accept(&uses);
    uses.visitArguments(function);
    for (const Function &callee : uses.calls) {
      if (callee.name() == function.name()) continue;
      if (auto status = visit(callee, depth + 1); !status) return status;
    }
    m_valueOrder.push_back(function);
    if (stagedInput(function) && depth > 0)
      m_stagedFuncs.emplace(function.name(), function);
    else
      m_order.push_back(function);
    return Done{};
  }

  void addFunc(const Function &function) {
    const auto index = static_cast<std::uint32_t>(m_graph.funcs.size());
    m_graph.funcIndex.emplace(function.name(), index);
    FuncSource source;
    source.function = function;
    source.stages.push_back(stageOf(function.definition(), index, 0));
    if (source.isExtern()) addCall(source);
    std::uint32_t stage = 1;
    for (const ir::Definition &update : function.updates())
      source.stages.push_back(stageOf(update, index, stage++));
    m_graph.funcs.push_back(std::move(source));
  }

  // Puts what the function of an extern stage gets in place of its values, which Halide leaves
  // undefined.
  void addCall(FuncSource &source) const {
    Fold fold(m_staged);
    std::vector<Expr> &values = source.stages.front().values;
    values.clear();
    std::ostringstream text;
    for (const Halide::ExternFuncArgument &argument : source.function.extern_arguments()) {
      if (!text.str().empty()) text << ", ";
      if (argument.is_expr()) {
        values.push_back(fold.mutate(argument.expr));
        text << values.back();
        continue;
      }
      std::string name = argument.is_func()     ? Function(argument.func).name()
                         : argument.is_buffer() ? argument.buffer.name()
                                                : argument.image_param.name();
      if (const auto staged = m_staged.find(name); staged != m_staged.end())
        name = staged->second->name;
      text << name;
      source.handed.push_back(std::move(name));
    }
    source.callText = source.function.extern_function_name() + "(" + text.str() + ")";
  }

  StageSource stageOf(const ir::Definition &definition, std::uint32_t func, std::uint32_t index) {
    Fold fold(m_staged);
    StageSource stage;
    stage.func = func;
    stage.index = index;
    for (const Expr &arg : definition.args())
      stage.args.push_back(fold.mutate(arg));
    for (const Expr &value : definition.values())
      stage.values.push_back(fold.mutate(value));
    if (definition.predicate().defined() && !ir::is_const_one(definition.predicate()))
      stage.predicate = fold.mutate(definition.predicate());
    if (index > 0) stage.reduction = definition.schedule().rvars();
    for (const ir::Dim &dim : definition.schedule().dims())
      if (dim.dim_type == ir::DimType::PureRVar) stage.independent.insert(dim.var);
    for (ir::ReductionVariable &variable : stage.reduction) {
      variable.min = fold.mutate(variable.min);
      variable.extent = fold.mutate(variable.extent);
    }
    return stage;
  }

  void addInputs() {
    FindUses uses;
    std::set<std::string> outputBuffers;
    for (const FuncSource &func : m_graph.funcs) {
      for (const Halide::Parameter &buffer : func.function.output_buffers())
        outputBuffers.insert(buffer.name());
      uses.visitArguments(func.function);
      for (const StageSource &stage : func.stages) {
        for (const Expr &e : expressionsOf(stage))
          e.accept(&uses);
        for (const ir::ReductionVariable &variable : stage.reduction) {
          variable.min.accept(&uses);
          variable.extent.accept(&uses);
        }
      }
    }
    for (const bool scalars : {false, true})
      for (const InputSource &input : uses.inputs)
        if (input.isScalar == scalars && !outputBuffers.count(input.name)) addInput(input);
    addUnusedInputs();
    for (const auto &[funcName, call] : m_staged) {
      const auto input = m_graph.inputIndex.find(call->name);
      if (input != m_graph.inputIndex.end()) m_graph.inputs[input->second].stagingFunc = funcName;
    }
  }

  // Inputs that the generator declares but no definition uses are recorded only in the sidecar.
  void addUnusedInputs() {
    if (!m_loaded.sidecar) return;
    for (const SidecarParam &param : m_loaded.sidecar->params) {
      if (m_graph.inputIndex.count(param.name) || m_graph.funcIndex.count(param.name)) continue;
      InputSource input;
      input.name = param.name;
      input.type = param.type;
      input.dims = static_cast<int>(param.dims.size());
      input.isScalar = !param.isBuffer;
      input.isUsed = false;
      addInput(input);
    }
  }

  void addInput(const InputSource &input) {
    if (isUserContext(input.name)) return;
    m_graph.inputIndex.emplace(input.name, static_cast<std::uint32_t>(m_graph.inputs.size()));
    m_graph.inputs.push_back(input);
  }

  // Halide's compute_function_value_bounds() does this for all funcs at once, and so cannot tell at
  // which of them it is.
  void boundValues() {
    for (const Function &function : m_valueOrder) {
      if (m_phase) m_phase("values of " + function.name(), 0.1);
      for (int i = 0; i < function.outputs(); ++i)
        m_graph.values[{function.name(), i}] = valuesOf(function, i);
    }
  }

  ir::Interval valuesOf(const Function &function, int element) const {
    const auto e = static_cast<std::size_t>(element);
    if (!function.is_pure()) {
      const Halide::Type type = function.output_types()[e].element_of();
      const bool isNarrow = type.is_int_or_uint() && type.bits() <= 16;
      return isNarrow ? ir::Interval(type.min(), type.max()) : ir::Interval::everything();
    }
    ir::Scope<ir::Interval> anywhere;
    for (const std::string &arg : function.args())
      anywhere.push(arg, ir::Interval::everything());
    ir::Interval values =
        ir::bounds_of_expr_in_scope(function.values()[e], anywhere, m_graph.values);
    const bool isPoint = values.is_single_point();
    // Without this, the ends would grow exponentially from func to func.
    const auto shared = [](const Expr &end) {
      return ir::simplify(ir::common_subexpression_elimination(end));
    };
    if (values.has_lower_bound()) values.min = shared(values.min);
    if (values.has_upper_bound()) values.max = isPoint ? values.min : shared(values.max);
    return values;
  }

  const LoadedPipeline &m_loaded;
  const PhaseCallback &m_phase;
  Graph m_graph;
  std::set<std::string> m_visited;
  std::vector<Function> m_order, m_valueOrder;
  std::map<std::string, Function> m_stagedFuncs;
  std::map<std::string, const Call *> m_staged;
};

} // namespace

bool isUserContext(const std::string &parameter) { return parameter == "__user_context"; }

std::string stagedInputName(const Halide::Internal::Function &function) {
  const Call *call = stagedInput(function);
  return call ? call->name : std::string();
}

std::string Graph::stageName(const StageSource &stage) const {
  const std::string &name = funcName(stage);
  return stage.index == 0 ? name : name + ".update(" + std::to_string(stage.index - 1) + ")";
}

std::vector<Expr> expressionsOf(const StageSource &stage) {
  std::vector<Expr> all = stage.args;
  all.insert(all.end(), stage.values.begin(), stage.values.end());
  if (stage.predicate.defined()) all.push_back(stage.predicate);
  return all;
}

Result<Graph> buildGraph(const LoadedPipeline &loaded, const PhaseCallback &phase) {
  return guarded(loaded.path + ": reading the definitions",
                 [&]() -> Result<Graph> { return Builder(loaded, phase).build(); });
}

} // namespace tessera::halide

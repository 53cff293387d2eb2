// SPDX-License-Identifier: MIT
#include "engine/halide/compile/under_estimates.h"

#include "engine/halide/import/operations.h"

#include <iterator>
#include <optional>

namespace tessera::halide {

namespace {

using pipeline::Estimate;
using report::PipelineArgument;
namespace ir = Halide::Internal;

void addBuffer(std::map<std::string, std::int64_t> &values, const std::string &name,
               const std::vector<Estimate> &dims,
               const std::vector<std::optional<std::int64_t>> &strides) {
  std::int64_t dense = 1;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    if (dims[d].source == pipeline::EstimateSource::None) return;
    const std::string dimension = std::string(".").append(std::to_string(d));
    const bool promised = d < strides.size() && strides[d];
    values[name + ".min" + dimension] = dims[d].range.min;
    values[name + ".extent" + dimension] = dims[d].range.extent();
    values[name + ".stride" + dimension] = promised ? *strides[d] : dense;
    dense *= dims[d].range.extent();
  }
}

// A func with several values has one buffer for each: "f.0", "f.1".
std::vector<std::string> bufferNames(const Halide::Internal::Function &function) {
  if (function.outputs() == 1) return {function.name()};
  std::vector<std::string> names;
  for (int i = 0; i < function.outputs(); ++i)
    names.push_back(function.name() + "." + std::to_string(i));
  return names;
}

pipeline::Box boxOf(const std::vector<Estimate> &dims) {
  pipeline::Box box;
  for (const Estimate &dim : dims)
    box.push_back(dim.range);
  return box;
}

// Halide calls the buffer in which an extern stage asks for bounds "f.o0.bounds_query.e", where it
// reads the func f and is e.
class AskedBounds : public ir::IRMutator {
public:
  explicit AskedBounds(const PreparedPipeline &prepared) : m_prepared(prepared) {}

private:
  using IRMutator::visit;
  Halide::Expr visit(const ir::Call *op) override {
    const bool isMin = op->name == ir::Call::buffer_get_min;
    const bool isMax = op->name == ir::Call::buffer_get_max;
    if (!isMin && !isMax && op->name != ir::Call::buffer_get_extent) return IRMutator::visit(op);
    const auto *buffer = op->args[0].as<ir::Variable>();
    const auto dim = ir::as_const_int(op->args[1]);
    const pipeline::Box *region = buffer ? regionOf(buffer->name) : nullptr;
    if (!region || !dim || *dim < 0 || *dim >= std::ssize(*region)) return IRMutator::visit(op);
    const pipeline::Interval &side = (*region)[static_cast<std::size_t>(*dim)];
    return ir::make_const(op->type, isMin ? side.min : isMax ? side.max : side.extent());
  }

  const pipeline::Box *regionOf(const std::string &buffer) const {
    const std::size_t query = buffer.find(".bounds_query");
    const std::size_t element = buffer.rfind(".o", query);
    if (query == std::string::npos || element == std::string::npos) return nullptr;
    const auto func = m_prepared.raw.funcIndex.find(buffer.substr(0, element));
    return func == m_prepared.raw.funcIndex.end() ? nullptr
                                                  : &m_prepared.regions.funcs[func->second];
  }

  const PreparedPipeline &m_prepared;
};

} // namespace

ir::Stmt withAskedBounds(const ir::Stmt &stmt, const PreparedPipeline &prepared) {
  return AskedBounds(prepared).mutate(stmt);
}

std::map<std::string, std::int64_t> valuesUnderEstimates(const PreparedPipeline &prepared) {
  std::map<std::string, std::int64_t> values;
  const Graph &graph = prepared.raw;
  for (std::size_t i = 0; i < graph.inputs.size(); ++i) {
    const InputSource &input = graph.inputs[i];
    const Estimates::Input &estimate = prepared.estimates.inputs[i];
    if (!input.isScalar) {
      addBuffer(values, input.name, estimate.dims, estimate.strides);
    } else if (const auto value = scalarFromText(input.type, estimate.scalar); value.defined()) {
      if (const auto number = Halide::Internal::as_const_int(value)) values[input.name] = *number;
      if (const auto number = Halide::Internal::as_const_uint(value))
        values[input.name] = static_cast<std::int64_t>(*number);
    }
  }
  for (std::size_t o = 0; o < graph.outputs.size(); ++o)
    for (const std::string &name : bufferNames(graph.funcs[graph.outputs[o]].function))
      addBuffer(values, name, prepared.estimates.outputs[o], {});
  return values;
}

std::vector<PipelineArgument>
argumentsUnderEstimates(const std::vector<Halide::Internal::LoweredArgument> &arguments,
                        const PreparedPipeline &prepared) {
  std::map<std::string, pipeline::Box> outputs;
  for (std::size_t o = 0; o < prepared.raw.outputs.size(); ++o)
    for (const std::string &name :
         bufferNames(prepared.raw.funcs[prepared.raw.outputs[o]].function))
      outputs[name] = boxOf(prepared.estimates.outputs[o]);
  std::vector<PipelineArgument> result;
  for (const Halide::Internal::LoweredArgument &argument : arguments) {
    PipelineArgument out;
    out.name = argument.name;
    out.type = toScalarType(argument.type);
    if (argument.is_output()) {
      out.kind = PipelineArgument::Kind::Output;
      out.region = outputs[argument.name];
    } else {
      out.kind =
          argument.is_scalar() ? PipelineArgument::Kind::Scalar : PipelineArgument::Kind::Input;
      const auto input = prepared.raw.inputIndex.find(argument.name);
      if (input != prepared.raw.inputIndex.end()) {
        const Estimates::Input &estimate = prepared.estimates.inputs[input->second];
        out.value = estimate.scalar;
        if (argument.is_buffer()) out.region = boxOf(estimate.dims);
      }
    }
    result.push_back(std::move(out));
  }
  return result;
}

} // namespace tessera::halide

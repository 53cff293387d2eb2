// SPDX-License-Identifier: MIT
#include "engine/halide/import/promises.h"

#include "engine/halide/guard.h"
#include "engine/halide/size_expressions.h"
#include "engine/report/promise.h"

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace tessera::halide {

namespace {

using pipeline::Estimate;
using pipeline::EstimateSource;
using report::Promise;
namespace ir = Halide::Internal;

Error refused(const Promise &promise, const std::string &why, const std::string &hint = "") {
  return {ErrorCode::InputRefused, "promise '" + textOf(promise) + "': " + why, hint};
}

Error noBuffer(const Promise &promise, const std::set<std::string> &known) {
  std::string names;
  for (const std::string &name : known)
    names += (names.empty() ? "" : ", ") + name;
  return refused(promise,
                 "the pipeline has no input or output \"" + promise.buffer +
                     "\" whose layout the caller decides",
                 "It has: " + (names.empty() ? "none" : names) + ".");
}

bool aboutDim(const Promise &promise) { return promise.min || promise.extent || promise.stride; }

Status checkPromise(const Promise &promise, std::size_t dims) {
  if (aboutDim(promise) && promise.dim >= dims)
    return refused(promise,
                   "\"" + promise.buffer + "\" has " + std::to_string(dims) + " dimensions");
  if (promise.hostAlignment < 0 ||
      (promise.hostAlignment != 0 &&
       !std::has_single_bit(static_cast<std::uint64_t>(promise.hostAlignment))))
    return refused(promise, "an alignment must be a power of two");
  return Done{};
}

void constrain(Halide::Parameter &buffer, const Promise &promise) {
  const auto number = [](std::int64_t value) { return Halide::Expr(static_cast<int>(value)); };
  if (promise.min) buffer.set_min_constraint(promise.dim, number(*promise.min));
  if (promise.extent) buffer.set_extent_constraint(promise.dim, number(*promise.extent));
  if (promise.stride) buffer.set_stride_constraint(promise.dim, number(*promise.stride));
  if (promise.hostAlignment != 0)
    buffer.set_host_alignment(static_cast<int>(promise.hostAlignment));
}

// The buffers of a pipeline, by the names that promises use for them.
std::multimap<std::string, Halide::Parameter> buffersOf(const Halide::Pipeline &pipeline) {
  std::multimap<std::string, Halide::Parameter> buffers;
  std::vector<ir::Function> outputs;
  for (const Halide::Func &output : pipeline.outputs()) {
    const ir::Function function = output.function();
    for (const Halide::Parameter &buffer : function.output_buffers()) {
      buffers.emplace(function.name(), buffer);
      if (function.outputs() > 1) buffers.emplace(buffer.name(), buffer);
    }
    outputs.push_back(function);
  }
  for (const ir::InferredArgument &input : ir::infer_arguments(ir::Stmt(), outputs))
    if (input.param.defined() && input.param.is_buffer())
      buffers.emplace(input.arg.name, input.param);
  return buffers;
}

Status keep(Estimate &dim, const Promise &promise) {
  pipeline::Interval kept = dim.range;
  const bool known = dim.source != EstimateSource::None;
  // The size is still unknown: it is derived or requested later.
  if (!known && !(promise.min && promise.extent)) return Done{};
  const std::int64_t min = promise.min.value_or(kept.min);
  kept = {min, min + promise.extent.value_or(known ? kept.extent() : 0) - 1};
  if (dim.source == EstimateSource::User && kept != dim.range)
    return refused(promise, "the given size breaks this promise",
                   "Leave out --size and --estimate, or use a schedule without this promise.");
  dim.range = kept;
  if (!known) dim.source = EstimateSource::Derived;
  dim.fixed = dim.fixed || promise.extent.has_value();
  dim.fixedMin = dim.fixedMin || promise.min.has_value();
  return Done{};
}

// Whether `name` is "f", or "f.1" for an output "f" of several values.
bool isOutput(const ir::Function &output, const std::string &name) {
  if (output.name() == name) return true;
  for (int i = 0; output.outputs() > 1 && i < output.outputs(); ++i)
    if (output.name() + "." + std::to_string(i) == name) return true;
  return false;
}

Status keepInInput(Estimates::Input &input, const Promise &promise) {
  if (auto status = checkPromise(promise, input.dims.size()); !status) return status;
  if (promise.hostAlignment != 0) input.hostAlignment = promise.hostAlignment;
  if (!aboutDim(promise)) return Done{};
  if (promise.stride) input.strides[promise.dim] = promise.stride;
  return keep(input.dims[promise.dim], promise);
}

} // namespace

Status applyPromises(const Halide::Pipeline &pipeline, std::span<const Promise> promises) {
  if (promises.empty()) return Done{};
  return guarded("the promises", [&]() -> Status {
    std::multimap<std::string, Halide::Parameter> buffers = buffersOf(pipeline);
    for (const Promise &promise : promises) {
      const auto [first, last] = buffers.equal_range(promise.buffer);
      if (first == last) {
        std::set<std::string> known;
        for (const auto &[name, buffer] : buffers)
          known.insert(name);
        return noBuffer(promise, known);
      }
      for (auto at = first; at != last; ++at) {
        const auto dims = static_cast<std::size_t>(at->second.dimensions());
        if (auto status = checkPromise(promise, dims); !status) return status;
        constrain(at->second, promise);
      }
    }
    return Done{};
  });
}

std::vector<Promise> promisesOf(const Halide::Pipeline &pipeline) {
  const auto constant = [](const Halide::Expr &value) -> std::optional<std::int64_t> {
    if (!value.defined()) return std::nullopt;
    return ir::as_const_int(ir::simplify(value));
  };
  std::vector<Promise> promises;
  std::set<std::string> elements; // buffers of outputs with several values, by their own names
  for (const Halide::Func &output : pipeline.outputs())
    if (output.function().outputs() > 1) elements.insert(output.name());
  for (const auto &[name, buffer] : buffersOf(pipeline)) {
    if (elements.contains(name)) continue; // each element is there under its own name
    const int usual = buffer.type().bytes();
    std::int64_t alignment = buffer.host_alignment() > usual ? buffer.host_alignment() : 0;
    for (int d = 0; d < buffer.dimensions(); ++d) {
      Promise promise{name,
                      static_cast<std::uint16_t>(d),
                      constant(buffer.min_constraint(d)),
                      constant(buffer.extent_constraint(d)),
                      constant(buffer.stride_constraint(d)),
                      std::exchange(alignment, 0)};
      // Halide itself says that the innermost stride is 1.
      if (d == 0 && promise.stride == 1) promise.stride.reset();
      if (aboutDim(promise) || promise.hostAlignment != 0) promises.push_back(std::move(promise));
    }
  }
  return promises;
}

std::vector<std::string> unsaidPromises(const Halide::Pipeline &pipeline) {
  std::set<std::string> calls; // an output of several values has a buffer by two names
  const auto add = [&](const Halide::Parameter &buffer, int d, const char *what,
                       const Halide::Expr &value) {
    if (!value.defined() || ir::as_const_int(ir::simplify(value))) return;
    const auto size = sizeExpressionOf(value);
    std::ostringstream text;
    text << buffer.name() << ".dim(" << d << ").set_" << what << "(";
    size ? text << textOf(*size) : text << value;
    calls.insert(text.str() + ") // a promise that is no number");
  };
  for (const auto &[name, buffer] : buffersOf(pipeline))
    for (int d = 0; d < buffer.dimensions(); ++d) {
      add(buffer, d, "min", buffer.min_constraint(d));
      add(buffer, d, "extent", buffer.extent_constraint(d));
      add(buffer, d, "stride", buffer.stride_constraint(d));
    }
  return {calls.begin(), calls.end()};
}

Status keepPromises(Estimates &estimates, const Graph &graph, std::span<const Promise> promises) {
  for (const Promise &promise : promises) {
    std::set<std::string> known;
    bool found = false;
    for (std::size_t i = 0; i < graph.inputs.size(); ++i) {
      const InputSource &input = graph.inputs[i];
      if (input.isScalar || input.image.defined()) continue;
      known.insert(input.name);
      if (input.name != promise.buffer) continue;
      found = true;
      if (auto status = keepInInput(estimates.inputs[i], promise); !status) return status;
    }
    for (std::size_t o = 0; o < graph.outputs.size(); ++o) {
      const ir::Function &output = graph.funcs[graph.outputs[o]].function;
      known.insert(output.name());
      if (!isOutput(output, promise.buffer)) continue;
      found = true;
      if (auto status = checkPromise(promise, output.args().size()); !status) return status;
      if (!aboutDim(promise)) continue;
      if (auto status = keep(estimates.outputs[o][promise.dim], promise); !status) return status;
    }
    if (!found) return noBuffer(promise, known);
  }
  return Done{};
}

} // namespace tessera::halide

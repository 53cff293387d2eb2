// SPDX-License-Identifier: MIT
#include "engine/halide/import/extern_stages.h"

#include "engine/halide/import/index_algebra.h"
#include "engine/base/asked.h"

#include <algorithm>
#include <utility>

namespace tessera::halide {

namespace {

using Halide::DeviceAPI;
using pipeline::Access;
using pipeline::Estimate;
using pipeline::EstimateSource;
using pipeline::Producer;
namespace ir = Halide::Internal;

std::string nameOfApi(DeviceAPI api) {
  switch (api) {
  case DeviceAPI::CUDA:
    return "cuda";
  case DeviceAPI::OpenCL:
    return "opencl";
  case DeviceAPI::Metal:
    return "metal";
  case DeviceAPI::Vulkan:
    return "vulkan";
  case DeviceAPI::D3D12Compute:
    return "d3d12compute";
  case DeviceAPI::WebGPU:
    return "webgpu";
  case DeviceAPI::Hexagon:
    return "hexagon";
  case DeviceAPI::HexagonDma:
    return "hexagon_dma";
  case DeviceAPI::Default_GPU:
    return "gpu";
  case DeviceAPI::None:
  case DeviceAPI::Host:
    break;
  }
  return "host";
}

class FindCalledFuncs : public ir::IRVisitor {
public:
  std::set<std::string> funcs;

private:
  using IRVisitor::visit;
  void visit(const ir::Call *call) override {
    if (call->call_type == ir::Call::Halide) funcs.insert(call->name);
    IRVisitor::visit(call);
  }
};

class FindUserContext : public ir::IRVisitor {
public:
  bool found = false;

private:
  using IRVisitor::visit;
  void visit(const ir::Variable *variable) override {
    found = found || isUserContext(variable->name);
  }
};

Access wholeAccess(Producer producer, std::size_t dims, const std::string &reason) {
  Access access{producer};
  for (std::size_t d = 0; d < dims; ++d)
    access.indices.push_back(
        algebra::interval(pipeline::kEverything, pipeline::Precision::Whole, reason));
  return access;
}

} // namespace

std::set<std::uint32_t> handedFuncs(const Graph &graph) {
  std::set<std::uint32_t> funcs;
  for (const FuncSource &reader : graph.funcs)
    for (const std::string &read : reader.handed)
      if (const auto func = graph.funcIndex.find(read);
          func != graph.funcIndex.end() && !graph.funcs[func->second].isOutput)
        funcs.insert(func->second);
  return funcs;
}

std::set<std::string> readOtherwise(const Graph &graph) {
  std::set<std::string> all;
  for (const FuncSource &func : graph.funcs) {
    FindCalledFuncs find;
    for (const StageSource &stage : func.stages)
      for (const Halide::Expr &e : expressionsOf(stage))
        e.accept(&find);
    find.funcs.erase(func.function.name());
    all.merge(find.funcs);
  }
  return all;
}

pipeline::ExternCall externCallOf(const ir::Function &function) {
  return {function.extern_function_name(), nameOfApi(function.extern_function_device_api()),
          takesUserContext(function)};
}

bool takesUserContext(const ir::Function &function) {
  FindUserContext find;
  for (const Halide::ExternFuncArgument &argument : function.extern_arguments())
    if (argument.is_expr()) argument.expr.accept(&find);
  return find.found;
}

std::vector<Access> handedLoads(const Graph &graph, const FuncSource &func) {
  const std::string reason = "the function " + func.function.extern_function_name() + " chooses it";
  std::vector<Access> loads;
  std::set<std::string> seen;
  for (const std::string &read : func.handed) {
    if (!seen.insert(read).second) continue;
    if (const auto input = graph.inputIndex.find(read); input != graph.inputIndex.end()) {
      const auto dims = static_cast<std::size_t>(graph.inputs[input->second].dims);
      loads.push_back(wholeAccess({Producer::Kind::Input, input->second}, dims, reason));
      continue;
    }
    const std::uint32_t producer = graph.funcIndex.at(read);
    const ir::Function &function = graph.funcs[producer].function;
    for (int element = 0; element < function.outputs(); ++element) {
      loads.push_back(
          wholeAccess({Producer::Kind::Func, producer}, function.args().size(), reason));
      loads.back().tupleElement = static_cast<std::uint32_t>(element);
    }
  }
  return loads;
}

std::vector<pipeline::Remark>
remarksOnExterns(const Graph &graph,
                 const std::map<std::uint32_t, std::vector<Estimate>> &estimated) {
  std::vector<pipeline::Remark> remarks;
  for (const FuncSource &func : graph.funcs) {
    if (!func.isExtern()) continue;
    const pipeline::ExternCall call = externCallOf(func.function);
    std::string text = "it is an extern stage: the function " + call.function +
                       " computes it (device API " + call.deviceApi +
                       "), so how long it takes is not known, and it stays as it is";
    // Halide 21 makes no copies for the inputs of an extern stage.
    if (!func.handed.empty())
      text += ". A GPU may have computed what it reads: its function has to bring that to where it "
              "works (halide_copy_to_host), as functions made by Halide do";
    remarks.push_back({func.function.name(), std::move(text)});
  }
  for (const auto &[func, dims] : estimated) {
    const bool isOpen = std::ranges::any_of(
        dims, [](const Estimate &dim) { return dim.source == EstimateSource::None; });
    const std::string &name = graph.funcs[func].function.name();
    if (isOpen)
      remarks.push_back({name, "an extern stage reads it, and only its function knows how much; "
                               "taken is what other stages read. Give more with " +
                                   commandWords({{"estimate", name + "=MIN:EXTENT,..."}})});
  }
  return remarks;
}

std::set<std::string> boundaryFuncs(const std::map<std::string, ir::Function> &functions) {
  std::set<std::string> names;
  for (const auto &[name, function] : functions) {
    if (!function.has_extern_definition()) continue;
    names.insert(name);
    for (const Halide::ExternFuncArgument &argument : function.extern_arguments())
      if (argument.is_func()) names.insert(ir::Function(argument.func).name());
  }
  return names;
}

} // namespace tessera::halide

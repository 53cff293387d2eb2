// SPDX-License-Identifier: MIT
#include "engine/halide/extern_symbols.h"

#include <map>
#include <string>
#include <vector>

namespace tessera::halide {

namespace {

namespace ir = Halide::Internal;

bool hasCppName(const ir::Function &function, const Halide::Target &target) {
  const Halide::NameMangling mangling = function.extern_definition_name_mangling();
  return mangling == Halide::NameMangling::CPlusPlus ||
         (mangling == Halide::NameMangling::Default &&
          target.has_feature(Halide::Target::CPlusPlusMangling));
}

// The arguments of the call as Halide makes it: one buffer for each element of a func.
std::vector<Halide::ExternFuncArgument> argumentsOf(const ir::Function &function) {
  const Halide::Expr buffer =
      ir::Variable::make(Halide::type_of<struct halide_buffer_t *>(), "buffer");
  std::vector<Halide::ExternFuncArgument> arguments;
  for (const Halide::ExternFuncArgument &argument : function.extern_arguments()) {
    const int buffers = argument.is_func() ? ir::Function(argument.func).outputs() : 1;
    if (argument.is_expr())
      arguments.push_back(argument);
    else
      arguments.insert(arguments.end(), static_cast<std::size_t>(buffers), buffer);
  }
  arguments.insert(arguments.end(), static_cast<std::size_t>(function.outputs()), buffer);
  return arguments;
}

std::string symbolOf(const ir::Function &function, const Halide::Target &target) {
  std::vector<std::string> spaces;
  const std::string name = ir::extract_namespaces(function.extern_function_name(), spaces);
  return ir::cplusplus_function_mangled_name(name, spaces, Halide::Int(32), argumentsOf(function),
                                             target);
}

// Halide has no other way to change the name of a function that is defined.
void rename(ir::Function function, const std::string &symbol) {
  const ir::Function old = function;
  function.update_with_deserialization(
      std::string(old.name()), std::string(old.origin_name()), old.output_types(),
      old.required_types(), old.required_dimensions(), old.args(), old.schedule(), old.definition(),
      old.updates(), std::string(old.debug_file()), old.output_buffers(), old.extern_arguments(),
      symbol, Halide::NameMangling::C, old.extern_function_device_api(),
      old.extern_definition_proxy_expr(), old.is_tracing_loads(), old.is_tracing_stores(),
      old.is_tracing_realizations(), old.get_trace_tags(), old.should_not_profile(), old.frozen());
}

} // namespace

void useExternSymbols(const Halide::Pipeline &pipeline, const Halide::Target &target) {
  for (const Halide::Func &output : pipeline.outputs())
    for (const auto &[name, function] : ir::find_transitive_calls(output.function()))
      if (function.has_extern_definition() && hasCppName(function, target))
        rename(function, symbolOf(function, target));
}

} // namespace tessera::halide

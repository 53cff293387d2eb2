// SPDX-License-Identifier: MIT
#include "engine/halide/compile/extern_functions.h"

#include "engine/halide/import/graph.h"
#include "engine/halide/import/load.h"

#include <dlfcn.h>
#include <string>

namespace tessera::halide {

namespace {

namespace ir = Halide::Internal;

bool isHere(const ir::Function &function) {
  if (function.extern_definition_name_mangling() == Halide::NameMangling::CPlusPlus) return false;
  return ::dlsym(RTLD_DEFAULT, function.extern_function_name().c_str()) != nullptr;
}

class FindUserContext : public ir::IRVisitor {
public:
  bool found = false;

private:
  using IRVisitor::visit;
  void visit(const ir::Variable *variable) override {
    found = found || isUserContext(variable->name);
  }
};

} // namespace

bool getsUserContext(const Halide::Pipeline &pipeline) {
  FindUserContext find;
  for (const auto &[name, function] : functionsOf(pipeline))
    for (const Halide::ExternFuncArgument &argument : function.extern_arguments())
      if (argument.is_expr()) argument.expr.accept(&find);
  return find.found;
}

Status checkExternFunctions(const Halide::Pipeline &pipeline, RunBy by) {
  std::string missing;
  for (const auto &[name, function] : functionsOf(pipeline))
    if (function.has_extern_definition() && (by == RunBy::Bundle || !isHere(function)))
      missing += (missing.empty() ? "" : ", ") + name + " calls " + function.extern_function_name();
  if (missing.empty()) return Done{};
  return Error{ErrorCode::InputRefused,
               "the pipeline cannot be run here, since the functions of its extern stages are not "
               "here: " +
                   missing,
               "It can be scheduled, explained and exported. Measure it in the program that has "
               "these functions."};
}

} // namespace tessera::halide

// SPDX-License-Identifier: MIT
#include "engine/halide/compile/extern_functions.h"

#include "engine/halide/import/extern_stages.h"
#include "engine/halide/import/load.h"

#include <algorithm>
#include <dlfcn.h>
#include <set>
#include <string>

namespace tessera::halide {

namespace {

namespace ir = Halide::Internal;

// Functions with C++ names are called by their symbols, but for those of a file that Halide itself
// wrote, which lacks the types of pointers (extern_symbols.h).
bool hasNoSymbol(const ir::Function &function) {
  return function.extern_definition_name_mangling() == Halide::NameMangling::CPlusPlus;
}

bool isHere(const ir::Function &function) {
  return !hasNoSymbol(function) &&
         ::dlsym(RTLD_DEFAULT, function.extern_function_name().c_str()) != nullptr;
}

bool worksOnHost(const ir::Function &function) {
  const Halide::DeviceAPI api = function.extern_function_device_api();
  return api == Halide::DeviceAPI::None || api == Halide::DeviceAPI::Host;
}

template <typename IsMissing>
Status refuseMissing(const Halide::Pipeline &pipeline, const IsMissing &isMissing) {
  std::string missing;
  for (const auto &[name, function] : functionsOf(pipeline))
    if (function.has_extern_definition() && isMissing(function))
      missing += (missing.empty() ? "" : ", ") + name + " calls " +
                 function.extern_function_name() +
                 (hasNoSymbol(function) ? " (a C++ name, whose types this file does not have: open "
                                          "the generator itself)"
                                        : "");
  if (missing.empty()) return Done{};
  return Error{ErrorCode::InputRefused,
               "the pipeline cannot be run here, since the functions of its extern stages are not "
               "here: " +
                   missing,
               "It can be scheduled, explained and exported. Measure it in the program that has "
               "these functions."};
}

} // namespace

bool getsUserContext(const Halide::Pipeline &pipeline) {
  return std::ranges::any_of(functionsOf(pipeline),
                             [](const auto &named) { return takesUserContext(named.second); });
}

std::vector<std::string> functionsCalledBy(const Halide::Pipeline &pipeline) {
  std::set<std::string> functions;
  for (const auto &[name, function] : functionsOf(pipeline))
    if (function.has_extern_definition()) functions.insert(function.extern_function_name());
  return {functions.begin(), functions.end()};
}

Status loadFunctions(const std::string &library) {
  // Not all that stands beside a generator may be resolved, and not all of it is called.
  if (::dlopen(library.c_str(), RTLD_LAZY | RTLD_GLOBAL) != nullptr) return Done{};
  const char *const why = ::dlerror();
  return Error{ErrorCode::InputRefused,
               "the functions of the pipeline's extern stages cannot be loaded: " +
                   std::string(why != nullptr ? why : "the loader says no more"),
               ""};
}

Status checkLoadedFunctions(const Halide::Pipeline &pipeline) {
  for (const auto &[name, function] : functionsOf(pipeline)) {
    if (!function.has_extern_definition() || worksOnHost(function)) continue;
    return Error{ErrorCode::InputRefused,
                 "the pipeline cannot be run here, since " + name + " calls " +
                     function.extern_function_name() +
                     ", which works on a device: it needs the context and the queue of Halide's "
                     "runtime, which the runtime of a pipeline that is compiled in memory does not "
                     "give to functions outside of it",
                 "It can be scheduled, explained and exported. Measure it in the program that has "
                 "this function."};
  }
  return refuseMissing(pipeline, [](const ir::Function &function) { return !isHere(function); });
}

Status checkLinkedFunctions(const Halide::Pipeline &pipeline,
                            const std::optional<LinkedFunctions> &functions) {
  return refuseMissing(pipeline, [&](const ir::Function &function) {
    return !functions || std::ranges::find(functions->missing, function.extern_function_name()) !=
                             functions->missing.end();
  });
}

} // namespace tessera::halide

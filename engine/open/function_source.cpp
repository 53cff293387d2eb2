// SPDX-License-Identifier: MIT
#include "engine/open/function_source.h"

#include "engine/open/open.h"

#include <algorithm>
#include <filesystem>

namespace tessera::open {

FunctionSource functionSourceOf(const OpenRequest &request, SourceKind kind,
                                const pipeline::Pipeline &pipeline) {
  FunctionSource source;
  for (const pipeline::Func &func : pipeline.funcs()) {
    if (!func.externCall) continue;
    if (std::ranges::find(source.functions, func.externCall->function) == source.functions.end())
      source.functions.push_back(func.externCall->function);
    source.takesContext = source.takesContext || func.externCall->takesContext;
  }
  if (source.functions.empty()) return source;
  source.path = std::filesystem::absolute(request.path).lexically_normal().string();
  source.kind = kind;
  source.build = completedFor(source.path, request.build);
  for (const auto &[name, value] : request.parameters)
    if (name == "target") source.target = value;
  return source;
}

} // namespace tessera::open

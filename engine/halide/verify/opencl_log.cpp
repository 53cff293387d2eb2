// SPDX-License-Identifier: MIT
#include "engine/halide/verify/opencl_log.h"

#include <algorithm>
#include <set>

namespace tessera::halide {

namespace {

// The names in the log that begin as Halide's own functions do, after words of a compiler that say
// that it does not know them.
std::set<std::string, std::less<>> unknownFunctions(std::string_view log) {
  constexpr std::string_view kOwn = "'halide_";
  std::set<std::string, std::less<>> names;
  for (std::size_t at = log.find(kOwn); at != std::string_view::npos; at = log.find(kOwn, at + 1)) {
    const std::string_view before = log.substr(0, at);
    const bool isUnknown = before.ends_with("implicit declaration of function ") ||
                           before.ends_with("use of undeclared identifier ") ||
                           before.ends_with("no matching function for call to ");
    const std::string_view name = log.substr(at + 1, log.find('\'', at + 1) - at - 1);
    if (isUnknown) names.emplace(name);
  }
  return names;
}

// The compiler's first error, without the place in a generated source that nobody has.
std::string firstError(std::string_view log) {
  constexpr std::string_view kError = "error: ";
  constexpr std::size_t kMost = 160; // the lines are joined, so nothing tells where the error ends
  const std::size_t at = log.find(kError);
  if (at == std::string_view::npos) return {};
  return std::string(log.substr(at + kError.size(), kMost));
}

} // namespace

std::string openClFault(std::string_view complaint) {
  const std::size_t at = complaint.find("clBuildProgram failed");
  if (at == std::string_view::npos) return {};
  const std::string_view log = complaint.substr(at);
  std::string functions;
  for (const std::string &name : unknownFunctions(log))
    functions += (functions.empty() ? "" : ", ") + name;
  if (!functions.empty()) return "Halide's code for OpenCL calls " + functions + ", which it lacks";
  const std::string error = firstError(log);
  return error.empty() ? "OpenCL cannot compile Halide's code" : "OpenCL's compiler says: " + error;
}

} // namespace tessera::halide

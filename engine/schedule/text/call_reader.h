// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/text/call_value.h"

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tessera::schedule {

// Makes directives of one call as people write it. Most calls are one; `tile`, `gpu_tile`,
// `vectorize(x, 4)` and their like become the several that Halide performs for them, with invented
// names for the loops that have none.
class CallReader {
public:
  using Names = std::set<std::string, std::less<>>;

  // No loop is invented with a name in `taken`.
  explicit CallReader(Names taken) : m_taken(std::move(taken)) {}

  struct Problem {
    std::string what, understood;
  };

  // Appends to `directives`. `makes`: the name of the func that the call returns, if it is one of
  // those that do.
  std::optional<Problem> read(const StageName &stage, std::string_view call,
                              const CallValue::List &values, const std::string &makes,
                              std::vector<Directive> &directives);

  // "f_in_g", or "f_in_g_2" where that is taken: for a func that the text gives no name.
  std::string inventedFunc(const StageName &stage, std::string_view call,
                           const CallValue::List &values, const Names &taken);

  static bool isKnown(std::string_view call);
  static bool makesFunc(std::string_view call);
  static std::string knownCalls(); // for a message

private:
  struct Tiling;

  std::optional<Problem> readBasic(Directive directive, const CallValue::List &values,
                                   std::vector<Directive> &directives);
  std::optional<Problem> readSplitting(const StageName &stage, const Signature &call,
                                       const CallValue::List &values,
                                       std::vector<Directive> &directives);
  std::optional<Problem> readTile(const StageName &stage, std::string_view call,
                                  const CallValue::List &values,
                                  std::vector<Directive> &directives);
  std::optional<Problem> readGpu(const StageName &stage, const CallValue::List &values,
                                 std::vector<Directive> &directives);
  std::optional<Problem> add(Directive directive, std::vector<Directive> &directives);
  // Another one at each call for the same owner.
  std::string invented(const std::string &owner, const std::string &stem, const Names &taken);

  Names m_taken;                                                // names of loops
  std::map<std::pair<std::string, std::string>, int> m_numbers; // of owner and stem, the last one
  Names m_computed;                                             // funcs that are no longer inlined
};

} // namespace tessera::schedule

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

// Reads calls as people write them, and makes directives of them. Most calls are one directive.
// `tile`, `gpu_tile`, `vectorize(x, 4)` and the like become the several directives that Halide
// performs for them; loops without a name get an invented one.
class CallReader {
public:
  using Names = std::set<std::string, std::less<>>;

  // `taken`: names that must not be invented for loops without a name.
  explicit CallReader(Names taken) : m_taken(std::move(taken)) {}

  struct Problem {
    std::string what, understood;
  };

  // Appends the directives of the call to `directives`. `makes` is the name of the func that the
  // call returns, if it returns one.
  std::optional<Problem> read(const StageName &stage, std::string_view call,
                              const CallValue::List &values, const std::string &makes,
                              std::vector<Directive> &directives);

  // An invented name for a func that has no name in the text: "f_in_g", or "f_in_g_2" if that name
  // is taken.
  std::string inventedFunc(const StageName &stage, std::string_view call,
                           const CallValue::List &values, const Names &taken);

  // The variant that the last of the directives makes. What follows specialize() is of it; with a
  // condition that the stage has already, Halide makes no other one.
  static StageName variantIn(std::vector<Directive> &directives);

  static bool isKnown(std::string_view call);
  static bool makesFunc(std::string_view call);
  static std::string knownCalls(); // for messages

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
  // Returns a different name at each call for the same owner and stem.
  std::string invented(const std::string &owner, const std::string &stem, const Names &taken);

  Names m_taken; // names that no invented loop may get
  // The last number that was appended to a name, by owner and stem.
  std::map<std::pair<std::string, std::string>, int> m_numbers;
  Names m_computed; // funcs that are computed somewhere, not inlined
};

} // namespace tessera::schedule

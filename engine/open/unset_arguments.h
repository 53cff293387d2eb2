// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tessera::open {

// An input or output whose type, number of dimensions or size of array a generator's source leaves
// open. Of an input, its user has to say it; of an output, what is computed may decide it.
struct UnsetArgument {
  std::string name;
  bool isOutput = false;
  bool type = false;
  bool dimensions = false;
  bool size = false;

  friend bool operator==(const UnsetArgument &, const UnsetArgument &) = default;
};

// Whether a generator ended because an input or output was left open.
bool saysUnset(std::string_view message);

// What libtessera_arguments.so printed of a generator.
std::vector<UnsetArgument> unsetArguments(std::string_view printed, const std::string &generator);

using Parameters = std::vector<std::pair<std::string, std::string>>;

// Parameters that set what is open and what `given` does not set: the first values with which the
// generator runs, as `runsWith` tries them, else usual ones.
std::vector<Asked> parametersFor(const std::vector<UnsetArgument> &unset, const Parameters &given,
                                 const std::function<bool(const Parameters &)> &runsWith);

// "the type of input 'a'; the type and the dimensions of input 'b'", of those that are asked for.
std::string namesOf(const std::vector<UnsetArgument> &unset, const std::vector<Asked> &asked);

} // namespace tessera::open

// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/directives/lasting_names.h"
#include "engine/base/result.h"
#include "engine/schedule/words/directive.h"

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tessera::schedule {

// The longest name of a func or loop that a text may have.
inline constexpr std::size_t kMaxNameBytes = 256;

// A variable of a printed schedule: the name that it stands for, and its identifier.
struct FuncHandle {
  std::string name, identifier;
};
struct LoopHandle {
  LoopName loop;
  std::string identifier;
};

// The variables that the text of some directives needs. Any name gets an identifier: `f1$0` becomes
// `f1_0`, the reserved word int becomes `int_`, and the second of two equal identifiers becomes
// `x_2`.
class Handles {
public:
  // Fails where no text can express the directives: one does not fit its signature, a func is used
  // before it is made, or a name is longer than kMaxNameBytes.
  static Result<Handles> of(std::span<const Directive> directives,
                            std::span<const std::string_view> reserved, const FoundNames &found);

  // In the order of first use. A loop that is found in a func uses that func.
  const std::vector<FuncHandle> &fetched() const { return m_fetched; } // funcs of the pipeline
  const std::vector<LoopHandle> &loops() const { return m_loops; }

  const std::string &func(const std::string &name) const { return m_funcs.at(name); }
  const std::string &loop(const LoopName &loop) const {
    return m_loopIdentifiers.at({loop.name, loop.reduction});
  }

private:
  friend class HandleCollector;

  std::vector<FuncHandle> m_fetched;
  std::vector<LoopHandle> m_loops;
  std::map<std::string, std::string> m_funcs;
  std::map<std::pair<std::string, bool>, std::string> m_loopIdentifiers;
};

// `name` as an identifier, which may still be a reserved word. `initial` goes before a leading
// digit.
std::string asIdentifier(std::string_view name, char initial);

} // namespace tessera::schedule

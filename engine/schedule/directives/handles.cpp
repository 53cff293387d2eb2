// SPDX-License-Identifier: MIT
#include "engine/schedule/directives/handles.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace tessera::schedule {

namespace {

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool isDigit(char c) { return c >= '0' && c <= '9'; }

Error cannotPrint(std::size_t place, const std::string &problem) {
  return {ErrorCode::InputRefused, "directive " + std::to_string(place + 1) + ": " + problem, ""};
}

} // namespace

std::string asIdentifier(std::string_view name, char initial) {
  std::string out;
  for (const char c : name) {
    // C++ reserves names with a leading or a doubled underscore, so none is appended there.
    if (isLetter(c) || isDigit(c))
      out += c;
    else if (!out.empty() && out.back() != '_')
      out += '_';
  }
  if (out.empty() || isDigit(out.front())) out.insert(out.begin(), initial);
  return out;
}

class HandleCollector {
public:
  HandleCollector(std::span<const std::string_view> reserved, const FoundNames &found)
      : m_found(found), m_reserved(reserved.begin(), reserved.end()) {}

  Status collect(std::span<const Directive> directives) {
    for (std::size_t place = 0; place < directives.size(); ++place) {
      const Directive &directive = directives[place];
      if (const std::string problem = problemWith(directive); !problem.empty())
        return cannotPrint(place, problem);
      fetch(directive.func);
      for (const Argument &argument : directive.arguments)
        std::visit(*this, argument);
      if (!directive.makes.empty() && !make(directive.makes))
        return cannotPrint(place, "it makes '" + directive.makes +
                                      "', but there is a func of that name already");
      if (m_longest > kMaxNameBytes)
        return cannotPrint(place, "a name in it is longer than " + std::to_string(kMaxNameBytes) +
                                      " bytes");
    }
    return Done{};
  }

  void operator()(const LoopName &loop) {
    const auto [at, isNew] =
        m_handles.m_loopIdentifiers.try_emplace({loop.name, loop.reduction}, std::string());
    if (!isNew) return;
    m_longest = std::max(m_longest, loop.name.size());
    if (const auto place = m_found.loops.find(at->first); place != m_found.loops.end())
      fetch(place->second.func);
    at->second = identifier(asIdentifier(loop.name, loop.reduction ? 'r' : 'v'));
    m_handles.m_loops.push_back({loop, at->second});
  }
  void operator()(const Level &level) {
    fetch(level.func);
    (*this)(level.loop);
  }
  void operator()(const FuncName &func) { fetch(func.name); }
  void operator()(std::int64_t) {}
  void operator()(Tail) {}
  void operator()(Storage) {}
  void operator()(const SizeExpression &) {}
  void operator()(const Text &) {}

  Handles take() { return std::move(m_handles); }

private:
  void fetch(const std::string &name) {
    if (make(name)) m_handles.m_fetched.push_back({name, m_handles.m_funcs.at(name)});
  }

  bool make(const std::string &name) {
    const auto [at, isNew] = m_handles.m_funcs.try_emplace(name, std::string());
    m_longest = std::max(m_longest, name.size());
    if (isNew) at->second = identifier(asIdentifier(name, 'f'));
    return isNew;
  }

  std::string identifier(std::string wanted) {
    if (m_reserved.count(wanted)) wanted += '_';
    if (m_taken.insert(wanted).second) return wanted;
    int &number = m_numbers.try_emplace(wanted, 1).first->second;
    if (wanted.back() != '_') wanted += '_';
    while (true)
      if (std::string tried = wanted + std::to_string(++number); m_taken.insert(tried).second)
        return tried;
  }

  const FoundNames &m_found;
  Handles m_handles;
  std::size_t m_longest = 0; // bytes of the longest name
  std::set<std::string_view> m_reserved;
  std::set<std::string> m_taken;
  std::map<std::string, int> m_numbers; // last number given to a repeated identifier
};

Result<Handles> Handles::of(std::span<const Directive> directives,
                            std::span<const std::string_view> reserved, const FoundNames &found) {
  HandleCollector collector(reserved, found);
  if (const Status collected = collector.collect(directives); !collected) return collected.error();
  return collector.take();
}

} // namespace tessera::schedule

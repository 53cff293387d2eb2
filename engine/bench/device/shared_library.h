// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"

#include <memory>
#include <string>
#include <vector>

namespace tessera::bench {

// A library that is opened at run time, so that its absence can be reported and does not prevent
// the start.
class SharedLibrary {
public:
  // Whether the library is unloaded with its last user. A library with threads of its own must stay
  // loaded.
  enum class Unload { Allowed, Never };

  // Opens the first of `names` that can be opened. The error contains the loader's message for the
  // first name.
  static Result<SharedLibrary> open(const std::vector<std::string> &names,
                                    Unload unload = Unload::Allowed);

  void *symbol(const char *name) const; // null: the library has no such symbol
  const std::string &name() const { return m_name; }

private:
  struct Close {
    void operator()(void *handle) const;
  };
  SharedLibrary(void *handle, std::string name) : m_handle(handle), m_name(std::move(name)) {}

  std::unique_ptr<void, Close> m_handle;
  std::string m_name;
};

// Sets `function` to the library's symbol. Returns false if there is none.
template <typename Function>
bool assignSymbol(const SharedLibrary &library, const char *name, Function *&function) {
  function = reinterpret_cast<Function *>(library.symbol(name));
  return function != nullptr;
}

} // namespace tessera::bench

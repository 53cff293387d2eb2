// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"

#include <memory>
#include <string>
#include <vector>

namespace tessera::bench {

// A library that is opened while we run, so that its absence is an answer and not a failed start.
class SharedLibrary {
public:
  // Whether the library goes when its last user does. One with threads of its own must stay.
  enum class Unload { Allowed, Never };

  // The first that opens. The error has the loader's words for the first name.
  static Result<SharedLibrary> open(const std::vector<std::string> &names,
                                    Unload unload = Unload::Allowed);

  void *symbol(const char *name) const; // null: it has none of this name
  const std::string &name() const { return m_name; }

private:
  struct Close {
    void operator()(void *handle) const;
  };
  SharedLibrary(void *handle, std::string name) : m_handle(handle), m_name(std::move(name)) {}

  std::unique_ptr<void, Close> m_handle;
  std::string m_name;
};

// Sets `function` to the library's symbol; false where there is none.
template <typename Function>
bool assignSymbol(const SharedLibrary &library, const char *name, Function *&function) {
  function = reinterpret_cast<Function *>(library.symbol(name));
  return function != nullptr;
}

} // namespace tessera::bench

// SPDX-License-Identifier: MIT
#include "engine/halide/guard.h"

namespace tessera::halide {

std::string textOf(const Halide::Error &error) {
  std::string text = error.what();
  for (const char *prefix : {"Internal Error at ", "Error: ", "Internal error: "})
    if (text.starts_with(prefix)) text.erase(0, std::string(prefix).size());
  for (char &c : text)
    if (c == '\n') c = ' ';
  const auto last = text.find_last_not_of(" \t");
  text.resize(last == std::string::npos ? 0 : last + 1);
  if (text.empty()) return "Halide stopped at an internal check without giving a reason";
  return "Halide says: " + text;
}

} // namespace tessera::halide

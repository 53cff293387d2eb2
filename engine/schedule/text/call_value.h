// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/words/directive.h"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace tessera::schedule {

// A func, or one stage of it after `.update(n)`.
struct StageName {
  std::string func;
  std::uint32_t stage = 0;
  bool isFunc = true;       // false after `.update(n)`: only calls of Stage are possible
  VariantPath variant = {}; // after `.specialize(c)`
};

// An argument as written in C++, before it is known which kind of argument the call takes.
struct CallValue {
  struct Root {};       // LoopLevel::root()
  struct DefaultGpu {}; // DeviceAPI::Default_GPU
  using List = std::vector<CallValue>;

  std::variant<LoopName, std::int64_t, bool, Tail, Storage, Level, StageName, Root, DefaultGpu,
               SizeExpression, Text, List>
      what;

  template <typename T>
  const T *as() const {
    return std::get_if<T>(&what);
  }
};

} // namespace tessera::schedule

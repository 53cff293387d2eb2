// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"

#include <Halide.h>

#include <new>
#include <string>
#include <utility>

namespace tessera::halide {

// Halide's message, in one line. Assertions inside the prebuilt Halide carry no text; for these the
// result says that there is no message.
std::string textOf(const Halide::Error &error);

// Runs `work`. Halide's exceptions, which do not derive from std::exception, become an Error whose
// text begins with `subject`, the name of the failed operation and its object. std::bad_alloc
// passes through, because the worker reports it as an outcome of its own.
template <typename Work>
auto guarded(const std::string &subject, Work work) -> decltype(work()) {
  try {
    return work();
  } catch (const Halide::Error &e) {
    return Error{ErrorCode::InputRefused, subject + ": " + textOf(e), ""};
  } catch (const std::bad_alloc &) {
    throw;
  } catch (const std::exception &e) {
    return Error{ErrorCode::InputRefused, subject + ": " + e.what(), ""};
  }
}

} // namespace tessera::halide

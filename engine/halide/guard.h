// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"

#include <Halide.h>

#include <new>
#include <string>
#include <utility>

namespace tessera::halide {

// What Halide said, in one line. Assertions inside the wheel carry no text; then that is said.
std::string textOf(const Halide::Error &error);

// Runs `work` and turns what Halide throws (no std::exception) into an Error about `subject`: who
// failed, on what. Exhausted memory passes: the worker answers it with an outcome of its own.
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

// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/words/directive.h"

#include <Halide.h>

#include <cstddef>
#include <span>
#include <string>

namespace tessera::halide {

// While it exists, notes the check that Halide sees to fail in every run, of which it only warns.
// Halide then leaves out what comes behind that check: a kernel, or all of them. Other warnings and
// errors are reported as usual. Halide has one reporter for the whole process, so there is at most
// one watch at a time.
class FailureWatch final : public Halide::CompileTimeErrorReporter {
public:
  FailureWatch() { Halide::set_custom_compile_time_error_reporter(this); }
  ~FailureWatch() override { Halide::set_custom_compile_time_error_reporter(nullptr); }
  FailureWatch(const FailureWatch &) = delete;
  FailureWatch &operator=(const FailureWatch &) = delete;

  void warning(const char *text) override;
  [[noreturn]] void error(const char *text) override { throw Halide::CompileError(text); }

  const std::string &failure() const { return m_failure; } // empty: none was seen

private:
  std::string m_failure;
};

// The number of stages that directives make a kernel of, or several.
std::size_t kernelStages(std::span<const schedule::Directive> directives);

} // namespace tessera::halide

// SPDX-License-Identifier: MIT
#pragma once

#include "engine/halide/lowered/interpret.h"

#include <Halide.h>

#include <string>

namespace tessera::halide::testing {

// A pipeline of one output as Halide lowers it for CUDA, and what the interpreter makes of it.
class LoweredCode {
public:
  // Schedules that are on `output` and its producers are taken.
  LoweredCode(Halide::Func output, std::vector<int> sizes);

  // Changes the code, to plant a fault.
  void mutate(Halide::Internal::IRMutator &mutator);

  lowered::Run run(std::uint64_t mostSteps = lowered::kMostSteps);
  const Halide::Buffer<> &output() const { return m_output; }
  std::string text() const;

  std::map<std::string, Halide::Buffer<>> inputs;
  std::map<std::string, Halide::Expr> scalars;

private:
  Halide::Internal::Stmt m_code;
  Halide::Buffer<> m_output;
  std::string m_name;
};

// An input with values that differ from element to element, and from name to name.
Halide::Buffer<> filled(const Halide::Type &type, const std::vector<int> &sizes,
                        const std::string &name = "in");

// The number of elements in which two buffers of one type and size differ in their bits.
std::size_t differences(const Halide::Buffer<> &a, const Halide::Buffer<> &b);

} // namespace tessera::halide::testing

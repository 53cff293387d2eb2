// SPDX-License-Identifier: MIT
#pragma once

#include "engine/halide/lowered/findings.h"
#include "engine/halide/lowered/grid.h"
#include "engine/halide/lowered/memory.h"
#include "engine/halide/lowered/value.h"
#include "engine/base/result.h"

#include <Halide.h>

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace tessera::halide::lowered {

// Thrown within this room where a run cannot go on; interpret() makes a value of it.
struct Stopped {
  enum class Why : std::uint8_t { CheckFailed, TooLong, NotUnderstood };
  Why why;
  std::string text;
};

// The kernel that runs. Races are looked for in the buffers that it stores to.
struct Kernel {
  std::string name;                // of its outermost loop
  std::uint32_t number = 0;        // counts from 1
  std::uint32_t blocks = 0;        // how many have been started
  std::vector<std::uint32_t> eras; // of each block that runs now: barriers and steps passed
  bool isInStep = false;           // its threads are the lanes of one warp
  std::map<std::string, std::size_t> granules; // of each buffer that is stored to: the least
                                               // number of bytes in one access
};

// Names that are defined within a part of the code. An inner definition hides an outer one.
template <typename T>
class Names {
public:
  void push(const std::string &name, T value) { m_values[name].push_back(std::move(value)); }
  void pop(const std::string &name) { m_values[name].pop_back(); }
  const T *find(const std::string &name) const {
    const auto at = m_values.find(name);
    return at == m_values.end() || at->second.empty() ? nullptr : &at->second.back();
  }

private:
  std::unordered_map<std::string, std::vector<T>> m_values;
};

// What an expression or a statement sees of the run.
struct State {
  Grid grid;
  Kernel *kernel = nullptr; // nullptr: on the host
  Names<ValuePtr> variables;
  Names<std::shared_ptr<Memory>> memories;
  std::map<std::string, Halide::Buffer<>> buffers; // arguments and constant images
  Findings findings;
  bool isAtomic = false; // within an atomic update
  // The buffer that an atomic update is storing to: its loads belong to the update. Else nullptr.
  const std::string *updated = nullptr;
  // Within a choice whose branches are taken lane by lane: a load that no lane wants may be
  // anywhere.
  bool isLenient = false;
  std::uint64_t steps = 0, mostSteps = 0;

  void spend(std::uint64_t count);
  Memory &memory(const std::string &name) const;
  const std::string &kernelName() const;
};

} // namespace tessera::halide::lowered

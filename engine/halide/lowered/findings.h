// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tessera::halide::lowered {

// What a run on a GPU may get away with, and must not do.
enum class FindingKind : std::uint8_t {
  OutOfBounds,      // a load or store outside of its memory
  Misaligned,       // a vector access at an address that its instruction cannot have
  Race,             // two threads use one element without a barrier, and one of them writes it
  UnknownIndex,     // a store at an index computed from memory that nothing has written
  UnknownOutput,    // an element of an output that nothing has written, or only from such memory
  DivergentBarrier, // a barrier that only some threads of a block reach
  FailedCheck,      // a check inside of a kernel
  KnownFault,       // right code of which LLVM makes wrong code
};
inline constexpr int kFindingKinds = 8;

// All findings of one kind in one buffer and kernel; `example` tells of the first.
struct Finding {
  FindingKind kind = FindingKind::OutOfBounds;
  std::string kernel, buffer, example;
  std::uint64_t count = 0;
};

class Findings {
public:
  // `example` is called for the first one only.
  template <typename Example>
  void add(FindingKind kind, const std::string &kernel, const std::string &buffer,
           Example example) {
    Finding &finding = entry(kind, kernel, buffer);
    if (finding.count++ == 0) finding.example = example();
  }

  const std::vector<Finding> &all() const { return m_all; }
  std::vector<Finding> take() { return std::move(m_all); }

private:
  Finding &entry(FindingKind kind, const std::string &kernel, const std::string &buffer);

  std::vector<Finding> m_all;
};

// "12 loads or stores outside of shared_f in kernel f.s0.x: thread 3 of block 0 loads …"
std::string textOf(const Finding &finding);

} // namespace tessera::halide::lowered

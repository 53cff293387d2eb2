// SPDX-License-Identifier: MIT
#include "engine/pipeline/id_space.h"

#include "engine/pipeline/pipeline.h"
#include "engine/base/mixed_bits.h"

#include <string>
#include <string_view>

namespace tessera::pipeline {

namespace {

class Fingerprint {
public:
  void add(std::uint64_t number) { m_state = mixed(m_state ^ number); }
  void add(std::string_view text) {
    add(text.size());
    for (const char c : text)
      m_state = (m_state ^ static_cast<unsigned char>(c)) * kPrime;
  }
  // Never 0, which is for no pipeline.
  std::uint64_t value() const { return mixed(m_state) | 1U; }

private:
  static constexpr std::uint64_t kPrime = 0x100000001b3; // of the hash FNV-1a
  std::uint64_t m_state = 0;
};

} // namespace

IdSpace::IdSpace(const PipelineParts &parts) {
  Fingerprint fingerprint;
  for (const Input &input : parts.inputs)
    fingerprint.add(input.name);
  fingerprint.add(parts.funcs.size());
  for (const Func &func : parts.funcs) {
    fingerprint.add(func.name);
    fingerprint.add(func.stageCount);
  }
  for (const Stage &stage : parts.stages) {
    fingerprint.add(stage.loops.size());
    for (const LoopDim &loop : stage.loops)
      fingerprint.add(loop.name);
  }
  m_fingerprint = fingerprint.value();
}

void throwForeignId(const char *name, std::size_t id, std::size_t count) {
  throw ForeignId("An id was used with a pipeline that it is not of: " + std::string(name) + " " +
                  std::to_string(id) + " of " + std::to_string(count) + ".");
}

} // namespace tessera::pipeline

// SPDX-License-Identifier: MIT
#include "tests/engine/halide/lowered/lowered_code.h"

#include "engine/halide/lowered/lower.h"
#include "engine/halide/verify/owned_buffer.h"

#include <cstring>
#include <sstream>

namespace tessera::halide::testing {

namespace {

Halide::Internal::Stmt codeOf(Halide::Func output) {
  const Halide::Target host = Halide::get_host_target();
  const Halide::Target target(
      host.os, host.arch, host.bits,
      {Halide::Target::NoRuntime, Halide::Target::CUDA, Halide::Target::CUDACapability86});
  Halide::Pipeline pipeline(output);
  return lowered::lower(pipeline, target);
}

} // namespace

LoweredCode::LoweredCode(Halide::Func output, std::vector<int> sizes)
    : m_code(codeOf(output)), m_output(output.types().at(0), std::move(sizes)),
      m_name(output.name()) {}

void LoweredCode::mutate(Halide::Internal::IRMutator &mutator) { m_code = mutator.mutate(m_code); }

lowered::Run LoweredCode::run(std::uint64_t mostSteps) {
  std::memset(m_output.data(), 0x7e, m_output.size_in_bytes());
  return lowered::interpret(m_code, {inputs, {{m_name, m_output}}, scalars}, mostSteps);
}

std::string LoweredCode::text() const {
  std::ostringstream text;
  text << m_code;
  return text.str();
}

Halide::Buffer<> filled(const Halide::Type &type, const std::vector<int> &sizes,
                        const std::string &name) {
  Halide::Buffer<> buffer(type, sizes);
  fillRandom(buffer, name, 7);
  return buffer;
}

std::size_t differences(const Halide::Buffer<> &a, const Halide::Buffer<> &b) {
  std::size_t count = 0;
  const auto size = static_cast<std::size_t>(a.type().bytes());
  const auto *one = static_cast<const std::uint8_t *>(a.data());
  const auto *other = static_cast<const std::uint8_t *>(b.data());
  for (std::size_t i = 0; i < a.number_of_elements(); ++i)
    count += std::memcmp(one + i * size, other + i * size, size) != 0;
  return count;
}

} // namespace tessera::halide::testing

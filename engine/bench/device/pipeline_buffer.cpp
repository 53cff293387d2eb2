// SPDX-License-Identifier: MIT
#include "engine/bench/device/pipeline_buffer.h"

#include "engine/bench/device/failure.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>

namespace tessera::bench {

namespace {

using pipeline::ScalarType;
using pipeline::TypeKind;
using report::ElementRun;

constexpr std::size_t kAlignment = 128; // the largest alignment that GPU code needs
constexpr std::int64_t kMostBufferBytes = std::int64_t{1} << 37;

std::uint8_t codeOf(TypeKind kind) {
  switch (kind) {
  case TypeKind::Int:
    return HalideBuffer::kInt;
  case TypeKind::UInt:
    return HalideBuffer::kUInt;
  case TypeKind::Float:
    return HalideBuffer::kFloat;
  case TypeKind::BFloat:
    return HalideBuffer::kBFloat;
  case TypeKind::Handle:
    return HalideBuffer::kHandle;
  }
  return HalideBuffer::kHandle;
}

std::vector<report::Promise> promisesOf(const report::PipelineArgument &argument,
                                        std::vector<report::Promise> promises) {
  std::erase_if(promises,
                [&](const report::Promise &promise) { return promise.buffer != argument.name; });
  return promises;
}

// Dimensions without a promised stride are dense, in order. A dimension with the promised stride 1
// is laid out first.
void setStrides(std::vector<HalideDimension> &dims,
                const std::vector<std::optional<std::int64_t>> &promised) {
  std::int64_t span = 1; // number of elements laid out so far
  const auto widen = [&](const HalideDimension &dim) {
    span = std::max(span, std::int64_t{dim.stride} * dim.extent);
  };
  for (std::size_t d = 0; d < dims.size(); ++d)
    if (promised[d]) {
      dims[d].stride = static_cast<std::int32_t>(*promised[d]);
      if (*promised[d] == 1) widen(dims[d]);
    }
  for (std::size_t d = 0; d < dims.size(); ++d) {
    if (!promised[d]) dims[d].stride = static_cast<std::int32_t>(span);
    widen(dims[d]);
  }
}

// The number of elements from the first address to the last, gaps included; nullopt if it is too
// large or if two elements would share memory.
std::optional<std::int64_t> spanOf(std::vector<HalideDimension> dims) {
  std::ranges::sort(dims, {}, &HalideDimension::stride);
  std::int64_t span = 1;
  for (const HalideDimension &dim : dims) {
    if (dim.stride < 1 || (dim.extent > 1 && dim.stride < span)) return std::nullopt;
    span += std::int64_t{dim.stride} * (dim.extent - 1);
    if (span > kMostBufferBytes) return std::nullopt;
  }
  return span;
}

} // namespace

PipelineBuffer::PipelineBuffer(const report::PipelineArgument &argument,
                               const std::vector<report::Promise> &promises)
    : m_argument(argument), m_promises(promisesOf(argument, promises)),
      m_dims(argument.region.size()) {
  std::vector<std::optional<std::int64_t>> strides(m_dims.size());
  std::size_t alignment = kAlignment;
  for (const report::Promise &promise : m_promises) {
    if (promise.stride && promise.dim < strides.size()) strides[promise.dim] = promise.stride;
    alignment = std::max(alignment, static_cast<std::size_t>(promise.hostAlignment));
  }
  for (std::size_t d = 0; d < m_dims.size(); ++d) {
    const pipeline::Interval &side = argument.region[d];
    constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
    if (side.empty() || side.extent() > kMost || side.min < -kMost || side.max > kMost)
      refuse("The buffer '" + argument.name + "' of the bundle has no usable size.");
    m_dims[d].min = static_cast<std::int32_t>(side.min);
    m_dims[d].extent = static_cast<std::int32_t>(side.extent());
  }
  setStrides(m_dims, strides);
  const auto span = spanOf(m_dims);
  const auto size = static_cast<std::int64_t>(argument.type.bytes());
  if (!span || *span > kMostBufferBytes / size)
    refuse("The buffer '" + argument.name + "' cannot be laid out with the promised strides.");
  m_bytes = static_cast<std::size_t>(*span * size);
  const auto aligned = static_cast<std::align_val_t>(alignment);
  auto *memory = static_cast<std::uint8_t *>(::operator new(m_bytes + kAlignment, aligned));
  m_memory = std::unique_ptr<std::uint8_t, FreeAligned>(memory, FreeAligned{aligned});
  std::memset(memory, 0, m_bytes + kAlignment);
  m_raw.host = memory;
  m_raw.typeCode = codeOf(argument.type.kind);
  m_raw.typeBits = argument.type.bits;
  m_raw.dimensions = static_cast<std::int32_t>(m_dims.size());
  m_raw.dim = m_dims.data();
}

bool PipelineBuffer::isFor(const report::PipelineArgument &argument,
                           const std::vector<report::Promise> &promises) const {
  return m_argument == argument && m_promises == promisesOf(argument, promises);
}

void PipelineBuffer::leaveDevice() {
  m_raw.device = 0;
  m_raw.interface = nullptr;
  m_raw.flags = 0;
  if (isInput()) m_raw.flags |= HalideBuffer::kHostDirty;
}

report::ElementLayout PipelineBuffer::layout() const {
  report::ElementLayout layout{m_argument.type, {}};
  for (const HalideDimension &dim : m_dims)
    layout.sides.push_back({dim.min, dim.extent, dim.stride});
  return layout;
}

std::uint64_t PipelineBuffer::elementCount() const {
  return static_cast<std::uint64_t>(pipeline::volume(m_argument.region));
}

// Calls `visit` for each contiguous run of elements, from several threads, in no fixed order.
template <typename Visit>
void PipelineBuffer::forEachRun(const Visit &visit) const {
  report::byRuns<char>(
      layout(), [&](char &, const ElementRun &run) { visit(m_memory.get() + run.offset, run); });
}

void PipelineBuffer::fillRandom(std::uint64_t seed, pipeline::Drawing drawing) {
  const std::uint64_t own = pipeline::seedOf(m_argument.name, seed);
  forEachRun([&](std::uint8_t *address, const ElementRun &run) {
    for (std::uint64_t i = 0; i < run.count; ++i, address += m_argument.type.bytes())
      pipeline::putRandom(address, m_argument.type, own, run.number + i, drawing);
  });
  m_raw.flags |= HalideBuffer::kHostDirty;
}

void PipelineBuffer::moveLastBits(std::uint64_t seed) {
  const std::uint64_t own = pipeline::seedOf(m_argument.name, seed);
  forEachRun([&](std::uint8_t *address, const ElementRun &run) {
    for (std::uint64_t i = 0; i < run.count; ++i, address += m_argument.type.bytes())
      pipeline::moveLastBit(address, m_argument.type, own, run.number + i);
  });
  m_raw.flags |= HalideBuffer::kHostDirty;
}

bool PipelineBuffer::fillFrom(std::span<const std::uint8_t> elements) {
  const auto size = static_cast<std::size_t>(m_argument.type.bytes());
  if (elements.size() != elementCount() * size) return false;
  forEachRun([&](std::uint8_t *address, const ElementRun &run) {
    std::memcpy(address, elements.data() + run.number * size, run.count * size);
  });
  m_raw.flags |= HalideBuffer::kHostDirty;
  return true;
}

void PipelineBuffer::fillWith(std::uint8_t byte) { std::memset(m_memory.get(), byte, m_bytes); }

std::vector<std::uint8_t> PipelineBuffer::elements() const {
  const auto size = static_cast<std::size_t>(m_argument.type.bytes());
  std::vector<std::uint8_t> result(elementCount() * size);
  forEachRun([&](const std::uint8_t *address, const ElementRun &run) {
    std::memcpy(result.data() + run.number * size, address, run.count * size);
  });
  return result;
}

bool PipelineBuffer::holds(std::span<const std::uint8_t> elements) const {
  const auto size = static_cast<std::size_t>(m_argument.type.bytes());
  if (elements.size() != elementCount() * size) return false;
  const auto others = report::byRuns<char>(layout(), [&](char &isOther, const ElementRun &run) {
    isOther |= std::memcmp(m_memory.get() + run.offset, elements.data() + run.number * size,
                           run.count * size) != 0;
  });
  return std::ranges::none_of(others, [](char isOther) { return isOther; });
}

} // namespace tessera::bench

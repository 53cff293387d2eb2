// SPDX-License-Identifier: MIT
#include "engine/halide/verify/owned_buffer.h"

#include "engine/halide/import/operations.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace tessera::halide {

namespace {

constexpr std::size_t kAlignment = 128; // the largest alignment that GPU code needs

// Whether no two elements share an address: the stride of each dimension must step over the whole
// span of the dimensions with smaller strides.
bool isApart(std::vector<halide_dimension_t> dims) {
  std::sort(dims.begin(), dims.end(), [](const halide_dimension_t &a, const halide_dimension_t &b) {
    return a.stride < b.stride;
  });
  std::int64_t span = 1;
  for (const halide_dimension_t &dim : dims) {
    if (dim.stride < 1 || (dim.extent > 1 && dim.stride < span)) return false;
    span += std::int64_t{dim.stride} * (dim.extent - 1);
  }
  return true;
}

} // namespace

std::optional<OwnedBuffer> makeBuffer(const Halide::Type &type, const pipeline::Box &box,
                                      const Layout &layout, std::uint8_t fill) {
  const std::vector<std::optional<std::int64_t>> &strides = layout.strides;
  std::vector<halide_dimension_t> dims(box.size());
  std::int64_t span = 1; // number of elements laid out so far
  const auto widen = [&](std::size_t d) {
    span = std::max(span, std::int64_t{dims[d].stride} * dims[d].extent);
  };
  for (std::size_t d = 0; d < box.size(); ++d) {
    dims[d].min = static_cast<std::int32_t>(box[d].min);
    dims[d].extent = static_cast<std::int32_t>(box[d].extent());
    if (d >= strides.size() || !strides[d]) continue;
    dims[d].stride = static_cast<std::int32_t>(*strides[d]);
  }
  // A stride of 1 promised for a later dimension means interleaved elements: that dimension is laid
  // out first and the others go around it.
  for (std::size_t d = 0; d < box.size(); ++d)
    if (d < strides.size() && strides[d] && *strides[d] == 1) widen(d);
  for (std::size_t d = 0; d < box.size(); ++d) {
    if (d >= strides.size() || !strides[d]) dims[d].stride = static_cast<std::int32_t>(span);
    widen(d);
  }
  if (!isApart(dims)) return std::nullopt;
  const auto alignment =
      static_cast<std::align_val_t>(std::max<std::int64_t>(kAlignment, layout.alignment));
  OwnedBuffer owned;
  owned.bytes = static_cast<std::size_t>(span) * static_cast<std::size_t>(type.bytes());
  auto *memory = static_cast<std::uint8_t *>(::operator new(owned.bytes + kAlignment, alignment));
  std::memset(memory, fill, owned.bytes + kAlignment);
  owned.memory = std::shared_ptr<std::uint8_t>(
      memory, [alignment](std::uint8_t *p) { ::operator delete(p, alignment); });
  owned.buffer = Halide::Buffer<>(Halide::Runtime::Buffer<>(
      type, static_cast<void *>(memory), static_cast<int>(dims.size()), dims.data()));
  return owned;
}

report::ElementLayout layoutOf(const Halide::Buffer<> &buffer) {
  report::ElementLayout layout{toScalarType(buffer.type()), {}};
  for (int d = 0; d < buffer.dimensions(); ++d)
    layout.sides.push_back({buffer.dim(d).min(), buffer.dim(d).extent(), buffer.dim(d).stride()});
  return layout;
}

const std::uint8_t *firstElement(const Halide::Buffer<> &buffer) {
  return static_cast<const std::uint8_t *>(buffer.data());
}

void forEachElement(const Halide::Buffer<> &buffer,
                    const std::function<void(std::uint8_t *, std::uint64_t)> &visit) {
  const report::ElementLayout layout = layoutOf(buffer);
  auto *base = static_cast<std::uint8_t *>(const_cast<void *>(buffer.data()));
  const std::int64_t size = buffer.type().bytes();
  const auto count = static_cast<std::uint64_t>(layout.count());
  if (count == 0) return;
  for (report::ElementRuns runs(layout, 0, count); !runs.atEnd();) {
    const report::ElementRun run = runs.next();
    std::uint8_t *address = base + run.offset;
    for (std::uint64_t i = 0; i < run.count; ++i, address += size)
      visit(address, run.number + i);
  }
}

void fillRandom(const Halide::Buffer<> &buffer, const std::string &name, std::uint64_t seed,
                pipeline::Drawing drawing) {
  const std::uint64_t own = pipeline::seedOf(name, seed);
  const pipeline::ScalarType type = toScalarType(buffer.type());
  forEachElement(buffer, [&](std::uint8_t *address, std::uint64_t number) {
    pipeline::putRandom(address, type, own, number, drawing);
  });
}

void moveLastBits(const Halide::Buffer<> &buffer, const std::string &name, std::uint64_t seed) {
  const std::uint64_t own = pipeline::seedOf(name, seed);
  const pipeline::ScalarType type = toScalarType(buffer.type());
  forEachElement(buffer, [&](std::uint8_t *address, std::uint64_t number) {
    pipeline::moveLastBit(address, type, own, number);
  });
}

} // namespace tessera::halide

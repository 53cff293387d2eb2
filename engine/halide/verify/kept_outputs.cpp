// SPDX-License-Identifier: MIT
#include "engine/halide/verify/kept_outputs.h"

#include "engine/array/npy.h"
#include "engine/halide/file_io.h"
#include "engine/halide/import/operations.h"

#include <cstring>

namespace tessera::halide {

namespace {

array::Array arrayOf(const Halide::Buffer<> &buffer) {
  array::Array array{toScalarType(buffer.type()), {}, {}, 0};
  for (int d = 0; d < buffer.dimensions(); ++d)
    array.extents.push_back(buffer.dim(d).extent());
  const auto size = static_cast<std::size_t>(buffer.type().bytes());
  array.data.resize(buffer.number_of_elements() * size);
  forEachElement(buffer, [&](const std::uint8_t *address, std::uint64_t number) {
    std::memcpy(&array.data[number * size], address, size);
  });
  return array;
}

} // namespace

Status keepOutputs(const RunOutputs &expected, const RunOutputs &found, const std::string &folder) {
  for (std::size_t i = 0; i < found.names.size(); ++i) {
    const std::string path = folder + "/" + found.names[i];
    for (const auto &[outputs, ending] :
         {std::pair(&expected, ".expected.npy"), std::pair(&found, ".npy")})
      if (auto written =
              writeFile(path + ending, array::npyOf(arrayOf(outputs->buffers[i].buffer)));
          !written)
        return written;
  }
  return Done{};
}

} // namespace tessera::halide

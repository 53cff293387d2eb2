// SPDX-License-Identifier: MIT
#include "engine/halide/npy.h"

#include "engine/halide/file_io.h"
#include "engine/halide/owned_buffer.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>
#include <optional>
#include <sstream>
#include <string_view>

namespace tessera::halide {

namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kMostBytes = std::size_t{4} << 30;
constexpr std::size_t kMostAxes = 16;

Error refused(const std::string &name, const std::string &why, const std::string &hint = "") {
  return {ErrorCode::InputRefused, "'" + name + "': " + why, hint};
}

// Walks the header, a Python dictionary of three known entries.
class HeaderReader {
public:
  explicit HeaderReader(std::string_view text) : m_rest(text) {}

  struct Header {
    std::string type;
    std::optional<bool> fortranOrder;
    std::optional<std::vector<std::int64_t>> shape;
  };
  std::optional<Header> read() {
    Header header;
    if (!take("{")) return std::nullopt;
    while (!take("}")) {
      const auto key = word();
      if (!key || !take(":")) return std::nullopt;
      if (*key == "descr") {
        auto type = word(); // a list of fields is no number
        if (!type) return std::nullopt;
        header.type = std::move(*type);
      } else if (*key == "fortran_order") {
        const bool yes = take("True");
        if (!yes && !take("False")) return std::nullopt;
        header.fortranOrder = yes;
      } else if (*key == "shape") {
        header.shape = shape();
        if (!header.shape) return std::nullopt;
      } else {
        return std::nullopt;
      }
      take(",");
    }
    const bool whole = !header.type.empty() && header.fortranOrder && header.shape;
    return whole ? std::optional(std::move(header)) : std::nullopt;
  }

private:
  bool take(std::string_view text) {
    while (!m_rest.empty() && (m_rest[0] == ' ' || m_rest[0] == '\n'))
      m_rest.remove_prefix(1);
    if (!m_rest.starts_with(text)) return false;
    m_rest.remove_prefix(text.size());
    return true;
  }
  std::optional<std::string> word() {
    const std::string_view quote = take("'") ? "'" : "\"";
    if (quote == "\"" && !take(quote)) return std::nullopt;
    const std::size_t end = m_rest.find(quote);
    if (end == std::string_view::npos) return std::nullopt;
    std::string text(m_rest.substr(0, end));
    m_rest.remove_prefix(end + 1);
    return text;
  }
  std::optional<std::vector<std::int64_t>> shape() {
    std::vector<std::int64_t> axes;
    if (!take("(")) return std::nullopt;
    while (!take(")")) {
      if (m_rest.empty() || axes.size() == kMostAxes) return std::nullopt;
      take(""); // blanks
      std::int64_t extent = 0;
      const auto end = std::from_chars(m_rest.data(), m_rest.data() + m_rest.size(), extent);
      if (end.ec != std::errc() || extent < 0 || extent > std::numeric_limits<std::int32_t>::max())
        return std::nullopt;
      m_rest.remove_prefix(static_cast<std::size_t>(end.ptr - m_rest.data()));
      axes.push_back(extent);
      take(",");
    }
    return axes;
  }

  std::string_view m_rest;
};

// "<f4": order of bytes, kind, bytes.
std::optional<Halide::Type> typeFrom(std::string_view text) {
  if (text.size() != 3 || (text[0] != '<' && text[0] != '|')) return std::nullopt;
  const int bytes = text[2] - '0';
  if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8) return std::nullopt;
  if (text[0] == '|' && bytes != 1) return std::nullopt;
  if (text[1] == 'b' && bytes == 1) return Halide::Bool();
  if (text[1] == 'u') return Halide::UInt(8 * bytes);
  if (text[1] == 'i') return Halide::Int(8 * bytes);
  if (text[1] == 'f' && bytes > 1) return Halide::Float(8 * bytes);
  return std::nullopt;
}

std::string textOf(const Halide::Type &type) {
  std::ostringstream text;
  text << type;
  return text.str();
}

std::string textOf(const std::vector<std::int64_t> &shape) {
  std::ostringstream text;
  text << '(';
  for (std::size_t axis = 0; axis < shape.size(); ++axis)
    text << (axis == 0 ? "" : " ") << shape[axis] << (axis + 1 < shape.size() ? "," : "");
  text << (shape.size() == 1 ? ",)" : ")");
  return text.str();
}

std::vector<std::int64_t> shapeOf(const Halide::Buffer<> &buffer) {
  std::vector<std::int64_t> shape;
  for (int d = buffer.dimensions(); d-- > 0;)
    shape.push_back(buffer.dim(d).extent());
  return shape;
}

// The place of the n-th element, a buffer's first dimension being the fastest, in an array of
// Fortran's order.
std::uint64_t fortranPlace(std::uint64_t number, const std::vector<std::int64_t> &shape) {
  std::vector<std::uint64_t> at(shape.size());
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    at[axis] = number % static_cast<std::uint64_t>(shape[axis]);
    number /= static_cast<std::uint64_t>(shape[axis]);
  }
  std::uint64_t place = 0;
  for (std::size_t axis = shape.size(); axis-- > 0;)
    place = place * static_cast<std::uint64_t>(shape[axis]) + at[axis];
  return place;
}

} // namespace

Result<NpyArray> npyFrom(std::vector<std::uint8_t> bytes, const std::string &name) {
  const std::string_view text(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  const std::size_t prefix = kMagic.size() + 2;
  if (!text.starts_with(kMagic) || text.size() < prefix + 4)
    return refused(name, "it is no array of NumPy's.", "numpy.save writes one.");
  const int version = bytes[kMagic.size()];
  if (version < 1 || version > 3)
    return refused(name, "its format has the version " + std::to_string(version) +
                             "; versions 1 to 3 are known.");
  const std::size_t lengthBytes = version == 1 ? 2 : 4;
  std::size_t length = 0;
  for (std::size_t i = lengthBytes; i-- > 0;)
    length = length << 8 | bytes[prefix + i];
  const std::size_t start = prefix + lengthBytes;
  if (length > text.size() - start) return refused(name, "it ends within its header.");
  const auto header = HeaderReader(text.substr(start, length)).read();
  if (!header)
    return refused(name, "its header cannot be read.", "numpy.save writes one that can.");
  const auto type = typeFrom(header->type);
  if (!type)
    return refused(name, "its numbers are of the type '" + header->type + "'.",
                   "Known are booleans, integers of 8 to 64 bits and floats of 16 to 64, little "
                   "endian.");
  NpyArray array{*type, *header->shape, *header->fortranOrder, {}};
  std::uint64_t wanted = static_cast<std::uint64_t>(type->bytes());
  for (const std::int64_t extent : array.shape) {
    wanted *= static_cast<std::uint64_t>(extent);
    if (wanted > kMostBytes) return refused(name, "it is too large to be an input.");
  }
  if (wanted != text.size() - start - length)
    return refused(name, "it has " + std::to_string(text.size() - start - length) +
                             " bytes of numbers, and its shape " + textOf(array.shape) + " wants " +
                             std::to_string(wanted) + ".");
  bytes.erase(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(start + length));
  array.data = std::move(bytes);
  return array;
}

Result<NpyArray> readNpy(const std::string &path) {
  auto bytes = readFile(path, kMostBytes);
  if (!bytes) return bytes.error();
  return npyFrom(std::move(*bytes), path);
}

Status fillFrom(const NpyArray &array, const Halide::Buffer<> &buffer, const std::string &input,
                const std::string &file) {
  if (array.type != buffer.type())
    return refused(file,
                   "it holds " + textOf(array.type) + ", and \"" + input + "\" takes " +
                       textOf(buffer.type()) + ".",
                   "Convert it: array.astype(…)");
  const std::vector<std::int64_t> wanted = shapeOf(buffer);
  if (array.shape != wanted) {
    std::ostringstream estimate;
    estimate << "--estimate " << input << '=';
    for (std::size_t d = 0; d < wanted.size() && array.shape.size() == wanted.size(); ++d)
      estimate << (d ? "," : "") << buffer.dim(static_cast<int>(d)).min() << ':'
               << array.shape[array.shape.size() - 1 - d];
    const bool sameAxes = array.shape.size() == wanted.size();
    return refused(file,
                   "its shape is " + textOf(array.shape) + ", and \"" + input + "\" takes " +
                       textOf(wanted) + ": the last dimension is NumPy's first axis.",
                   sameAxes ? "Turn its axes, or say how large it is, and the outputs with it: " +
                                  estimate.str()
                            : "");
  }
  const auto size = static_cast<std::size_t>(array.type.bytes());
  forEachElement(buffer, [&](std::uint8_t *address, std::uint64_t number) {
    const std::uint64_t place = array.fortranOrder ? fortranPlace(number, array.shape) : number;
    std::memcpy(address, array.data.data() + place * size, size);
  });
  return Done{};
}

} // namespace tessera::halide

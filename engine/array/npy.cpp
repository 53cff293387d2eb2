// SPDX-License-Identifier: MIT
#include "engine/array/npy.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>
#include <optional>
#include <sstream>
#include <string_view>

namespace tessera::array {

namespace {

using pipeline::ScalarType;
using pipeline::TypeKind;

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kMostAxes = 16;

// Parses the header, a Python dictionary with three known entries.
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
        auto type = word(); // fails for a list of fields: structured types are not supported
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
      take(""); // skips blanks
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

// The type for a text such as "<f4": byte order, kind, number of bytes.
std::optional<ScalarType> typeFrom(std::string_view text) {
  if (text.size() != 3 || (text[0] != '<' && text[0] != '|')) return std::nullopt;
  const int bytes = text[2] - '0';
  if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8) return std::nullopt;
  if (text[0] == '|' && bytes != 1) return std::nullopt;
  const auto bits = static_cast<std::uint8_t>(8 * bytes);
  if (text[1] == 'b' && bytes == 1) return ScalarType{TypeKind::UInt, 1};
  if (text[1] == 'u') return ScalarType{TypeKind::UInt, bits};
  if (text[1] == 'i') return ScalarType{TypeKind::Int, bits};
  if (text[1] == 'f' && bytes > 1) return ScalarType{TypeKind::Float, bits};
  return std::nullopt;
}

std::string textOf(const std::vector<std::int64_t> &shape) {
  std::ostringstream text;
  text << '(';
  for (std::size_t axis = 0; axis < shape.size(); ++axis)
    text << (axis == 0 ? "" : " ") << shape[axis] << (axis + 1 < shape.size() ? "," : "");
  text << (shape.size() == 1 ? ",)" : ")");
  return text.str();
}

// Reorders numbers from Fortran order (first axis fastest) to C order (last axis fastest).
std::vector<std::uint8_t> turned(const std::vector<std::uint8_t> &data,
                                 const std::vector<std::int64_t> &shape, std::size_t size) {
  std::vector<std::uint8_t> result(data.size());
  // Strides of the axes in `data`, in elements.
  std::vector<std::uint64_t> strides, at(shape.size(), 0);
  std::uint64_t span = 1;
  for (const std::int64_t extent : shape) {
    strides.push_back(span);
    span *= static_cast<std::uint64_t>(extent);
  }
  std::uint64_t from = 0;
  for (std::size_t to = 0; to < result.size(); to += size) {
    std::memcpy(&result[to], &data[from * size], size);
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      from += strides[axis];
      if (++at[axis] < static_cast<std::uint64_t>(shape[axis])) break;
      from -= strides[axis] * at[axis];
      at[axis] = 0;
    }
  }
  return result;
}

std::string descriptorOf(ScalarType type) {
  if (type == ScalarType{TypeKind::UInt, 1}) return "|b1";
  const char kind = type.kind == TypeKind::Int ? 'i' : type.kind == TypeKind::UInt ? 'u' : 'f';
  return std::string(type.bytes() == 1 ? "|" : "<") + kind + std::to_string(type.bytes());
}

// A bfloat16 is the upper half of a float32.
Array widened(const Array &array) {
  Array wide{{TypeKind::Float, 32}, array.extents, {}, array.white};
  wide.data.resize(2 * array.data.size());
  for (std::size_t i = 0; i < array.data.size(); i += 2)
    std::memcpy(&wide.data[2 * i + 2], &array.data[i], 2);
  return wide;
}

} // namespace

bool isNpy(const std::vector<std::uint8_t> &bytes) {
  return std::string_view(reinterpret_cast<const char *>(bytes.data()), bytes.size())
      .starts_with(kMagic);
}

Result<Array> npyFrom(std::vector<std::uint8_t> bytes, const std::string &file) {
  const std::string_view text(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  const std::size_t prefix = kMagic.size() + 2;
  if (!text.starts_with(kMagic) || text.size() < prefix + 4)
    return refused(file, "it is not a NumPy array.", "Write it with numpy.save.");
  const int version = bytes[kMagic.size()];
  if (version < 1 || version > 3)
    return refused(file, "its format version is " + std::to_string(version) +
                             "; versions 1 to 3 can be read.");
  const std::size_t lengthBytes = version == 1 ? 2 : 4;
  std::size_t length = 0;
  for (std::size_t i = lengthBytes; i-- > 0;)
    length = length << 8 | bytes[prefix + i];
  const std::size_t start = prefix + lengthBytes;
  if (length > text.size() - start) return refused(file, "it ends within its header.");
  const auto header = HeaderReader(text.substr(start, length)).read();
  if (!header) return refused(file, "its header cannot be read.", "Write it with numpy.save.");
  const auto type = typeFrom(header->type);
  if (!type)
    return refused(file, "its numbers have the unknown type '" + header->type + "'.",
                   "Known types are booleans, integers of 8 to 64 bits and floats of 16 to 64 "
                   "bits, little endian.");
  const std::vector<std::int64_t> &shape = *header->shape;
  const auto size = static_cast<std::size_t>(type->bytes());
  std::uint64_t wanted = size;
  for (const std::int64_t extent : shape) {
    if (extent == 0) return refused(file, "its shape " + textOf(shape) + " has no numbers.");
    wanted *= static_cast<std::uint64_t>(extent);
    if (wanted > kMostBytes) return refused(file, "it is too large to be an input.");
  }
  if (wanted != text.size() - start - length)
    return refused(file, "it has " + std::to_string(text.size() - start - length) +
                             " bytes of numbers, but its shape " + textOf(shape) + " needs " +
                             std::to_string(wanted) + ".");
  bytes.erase(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(start + length));
  Array array{*type, {shape.rbegin(), shape.rend()}, std::move(bytes), 0};
  if (*header->fortranOrder) array.data = turned(array.data, shape, size);
  return array;
}

std::vector<std::uint8_t> npyOf(const Array &array) {
  if (array.type.kind == TypeKind::BFloat) return npyOf(widened(array));
  const std::vector<std::int64_t> shape(array.extents.rbegin(), array.extents.rend());
  std::string axes;
  for (const std::int64_t extent : shape)
    axes += std::to_string(extent) + ", ";
  if (shape.size() > 1) axes.resize(axes.size() - 2);
  std::string header = "{'descr': '" + descriptorOf(array.type) +
                       "', 'fortran_order': False, 'shape': (" + axes + "), }";
  constexpr std::size_t kAligned = 64; // alignment of the elements in the file
  const std::size_t prefix = kMagic.size() + 4;
  header.append((kAligned - (prefix + header.size() + 1) % kAligned) % kAligned, ' ');
  header += '\n';
  std::vector<std::uint8_t> bytes(kMagic.begin(), kMagic.end());
  for (const std::size_t byte : {std::size_t{1}, std::size_t{0}, header.size(), header.size() >> 8})
    bytes.push_back(static_cast<std::uint8_t>(byte));
  bytes.insert(bytes.end(), header.begin(), header.end());
  bytes.insert(bytes.end(), array.data.begin(), array.data.end());
  return bytes;
}

} // namespace tessera::array

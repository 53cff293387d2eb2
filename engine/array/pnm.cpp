// SPDX-License-Identifier: MIT
#include "engine/array/pnm.h"

#include <optional>

namespace tessera::array {

namespace {

constexpr std::uint32_t kMostSide = 1u << 30; // maximal number of columns or rows

bool isBlank(std::uint8_t c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// Parses the numbers of the header, which follow its first two characters. Blanks and comments
// separate them.
class HeaderReader {
public:
  explicit HeaderReader(const std::vector<std::uint8_t> &bytes) : m_bytes(bytes) {}

  std::optional<std::uint32_t> number() {
    if (!skipBlanks()) return std::nullopt;
    std::uint64_t value = 0;
    const std::size_t start = m_at;
    for (; m_at < m_bytes.size() && m_bytes[m_at] >= '0' && m_bytes[m_at] <= '9'; ++m_at) {
      value = 10 * value + (m_bytes[m_at] - '0');
      if (value > kMostSide) return std::nullopt;
    }
    if (m_at == start || value == 0) return std::nullopt;
    return static_cast<std::uint32_t>(value);
  }

  // The position of the samples, which follow after a single blank.
  std::optional<std::size_t> end() const {
    if (m_at >= m_bytes.size() || !isBlank(m_bytes[m_at])) return std::nullopt;
    return m_at + 1;
  }

private:
  bool skipBlanks() {
    const std::size_t start = m_at;
    for (; m_at < m_bytes.size(); ++m_at) {
      if (m_bytes[m_at] == '#')
        while (m_at < m_bytes.size() && m_bytes[m_at] != '\n')
          ++m_at;
      else if (!isBlank(m_bytes[m_at]))
        break;
    }
    return m_at > start;
  }

  const std::vector<std::uint8_t> &m_bytes;
  std::size_t m_at = 2;
};

} // namespace

bool isPnm(const std::vector<std::uint8_t> &bytes) {
  return bytes.size() > 2 && bytes[0] == 'P' && bytes[1] >= '1' && bytes[1] <= '7' &&
         (isBlank(bytes[2]) || bytes[2] == '#');
}

Result<Array> pnmFrom(const std::vector<std::uint8_t> &bytes, const std::string &file) {
  if (!isPnm(bytes) || (bytes[1] != '5' && bytes[1] != '6'))
    return refused(file, "only binary grey (P5) and colour (P6) Netpbm images can be read.",
                   "Convert it with pamtopnm or another image program.");
  HeaderReader header(bytes);
  const auto width = header.number();
  const auto height = width ? header.number() : std::nullopt;
  const auto most = height ? header.number() : std::nullopt;
  const auto start = most ? header.end() : std::nullopt;
  if (!start || *most > 65535)
    return refused(file, "its header cannot be read.",
                   "A header has columns, rows and the largest value, from 1 to 65535.");
  const std::size_t channels = bytes[1] == '6' ? 3 : 1;
  const std::size_t size = *most < 256 ? 1 : 2;
  const std::uint64_t wanted = std::uint64_t{*width} * *height * channels * size;
  if (wanted > kMostBytes) return refused(file, "it is too large to be an input.");
  if (wanted != bytes.size() - *start)
    return refused(file, "it has " + std::to_string(bytes.size() - *start) +
                             " bytes of samples, but its header needs " + std::to_string(wanted) +
                             ".");
  return imageFrom(*width, *height, channels, size, *most, bytes.data() + *start);
}

} // namespace tessera::array

// SPDX-License-Identifier: MIT
#include "engine/array/png.h"

#include "engine/array/png_data.h"

#include <png.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstring>
#include <span>
#include <string_view>

// libpng reports errors by longjmp. So every callback, and every function here that calls setjmp,
// has no local variable with a destructor.
namespace tessera::array {

namespace {

using Bytes = std::span<const std::uint8_t>;
using Reason = std::array<char, 128>; // libpng's text for an error

constexpr std::size_t kSignatureBytes = 8;

[[noreturn]] void stop(png_structp png, png_const_charp why) {
  Reason &reason = *static_cast<Reason *>(png_get_error_ptr(png));
  const std::size_t length = std::min(std::strlen(why), reason.size() - 1);
  std::copy_n(why, length, reason.begin());
  reason[length] = '\0';
  png_longjmp(png, 1);
}

void ignoreWarning(png_structp, png_const_charp) {}

void take(png_structp png, png_bytep to, std::size_t count) {
  Bytes &rest = *static_cast<Bytes *>(png_get_io_ptr(png));
  if (count > rest.size()) png_error(png, "the file is cut off");
  std::memcpy(to, rest.data(), count);
  rest = rest.subspan(count);
}

bool append(std::vector<std::uint8_t> &out, Bytes bytes) {
  try {
    out.insert(out.end(), bytes.begin(), bytes.end());
    return true;
  } catch (const std::exception &) { // no C++ exception may cross libpng's frames
    return false;
  }
}

void put(png_structp png, png_bytep from, std::size_t count) {
  auto &out = *static_cast<std::vector<std::uint8_t> *>(png_get_io_ptr(png));
  if (!append(out, {from, count})) png_error(png, "out of memory");
}

void flushNothing(png_structp) {}

Error noMemory(const std::string &file) {
  return refused(file, "there is not enough memory for it.");
}

Error damaged(const std::string &file) {
  return refused(file, "it is damaged or cut off.", "Save it again.");
}

// Reads one file. Each step returns false if libpng reported an error; refusal() then gives the
// reason.
class PngReader {
public:
  explicit PngReader(Bytes file)
      : m_rest(file),
        m_png(png_create_read_struct(PNG_LIBPNG_VER_STRING, &m_reason, &stop, &ignoreWarning)),
        m_info(m_png ? png_create_info_struct(m_png) : nullptr) {}
  ~PngReader() { png_destroy_read_struct(&m_png, &m_info, nullptr); }
  PngReader(const PngReader &) = delete;
  PngReader &operator=(const PngReader &) = delete;

  bool hasMemory() const { return m_info != nullptr; }

  // Reads everything before the first row. Chunks that do not affect the pixels (texts, colour
  // profiles) are skipped, so nothing is decompressed yet.
  bool readHeader() {
    if (setjmp(png_jmpbuf(m_png)) != 0) return false;
    png_set_read_fn(m_png, &m_rest, &take);
    // The size is limited by the number of bytes in isTooLarge(). libpng's own limit is a million
    // pixels per side.
    png_set_user_limits(m_png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_chunk_malloc_max(m_png, m_rest.size());
    png_set_benign_errors(m_png, 0); // treat what libpng would tolerate as damage too
    png_set_crc_action(m_png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
    png_set_keep_unknown_chunks(m_png, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);
    png_read_info(m_png, m_info);
    return true;
  }

  std::uint32_t width() const { return png_get_image_width(m_png, m_info); }
  std::uint32_t height() const { return png_get_image_height(m_png, m_info); }
  // Bytes per sample of the returned image.
  std::size_t sampleBytes() const { return png_get_bit_depth(m_png, m_info) == 16 ? 2 : 1; }
  std::size_t channels() const {
    if (!hasPalette()) return png_get_channels(m_png, m_info);
    return png_get_valid(m_png, m_info, PNG_INFO_tRNS) != 0 ? 4 : 3;
  }
  std::uint64_t rowBytes() const { return std::uint64_t{width()} * channels() * sampleBytes(); }
  bool isTooLarge() const { return height() > kMostBytes / (rowBytes() + 1); }
  // The size of all rows, each with its filter byte, when decompressed.
  std::uint64_t storedBytes() const {
    const std::uint64_t bits =
        std::uint64_t{png_get_channels(m_png, m_info)} * png_get_bit_depth(m_png, m_info);
    const auto bytesOf = [&](std::uint64_t columns, std::uint64_t rows) {
      return columns > 0 ? rows * ((columns * bits + 7) / 8 + 1) : 0;
    };
    if (png_get_interlace_type(m_png, m_info) == PNG_INTERLACE_NONE)
      return bytesOf(width(), height());
    std::uint64_t bytes = 0;
    for (unsigned pass = 0; pass < PNG_INTERLACE_ADAM7_PASSES; ++pass)
      bytes += bytesOf(PNG_PASS_COLS(width(), pass), PNG_PASS_ROWS(height(), pass));
    return bytes;
  }

  // The size of a row as readRows() reads it.
  std::uint64_t readRowBytes() const { return hasPalette() ? width() : rowBytes(); }

  // Reads the rows one after the other, and whatever follows them. The rows of a palette image hold
  // indices, since libpng would turn invalid indices into black.
  bool readRows(std::uint8_t *to) {
    const std::uint64_t bytes = readRowBytes();
    if (setjmp(png_jmpbuf(m_png)) != 0) return false;
    if (hasPalette())
      png_set_packing(m_png);
    else if (png_get_bit_depth(m_png, m_info) < 8)
      png_set_expand_gray_1_2_4_to_8(m_png);
    const int passes = png_set_interlace_handling(m_png);
    png_read_update_info(m_png, m_info);
    if (png_get_rowbytes(m_png, m_info) != bytes) png_error(m_png, "rows of another length");
    const std::uint32_t rows = height();
    for (int pass = 0; pass < passes; ++pass)
      for (std::uint32_t y = 0; y < rows; ++y)
        png_read_row(m_png, to + y * bytes, nullptr);
    png_read_end(m_png, nullptr);
    return m_rest.empty();
  }

  // Returns false if a pixel has an index outside the palette.
  bool hasEveryColour(const std::uint8_t *rows) const {
    if (!hasPalette()) return true;
    png_colorp entries = nullptr;
    int count = 0;
    png_get_PLTE(m_png, m_info, &entries, &count);
    return *std::max_element(rows, rows + height() * readRowBytes()) < count;
  }

  Array imageOf(const std::uint8_t *rows) const {
    if (hasPalette()) return imageOfIndices(rows);
    return imageFrom(width(), height(), channels(), sampleBytes(), sampleBytes() == 1 ? 255 : 65535,
                     rows);
  }

  Error refusal(const std::string &file) const {
    const std::string_view why = m_reason.data();
    const auto says = [&](std::string_view words) {
      return why.find(words) != std::string_view::npos;
    };
    if (says("memory")) return noMemory(file);
    if (says("unhandled critical chunk")) // libpng puts the chunk's four letters before this text
      return refused(file, "it has an unknown part, '" + std::string(why.substr(0, 4)) + "'.");
    if (says("IHDR") && !says("CRC")) return refused(file, "its header cannot be read.");
    return damaged(file);
  }

private:
  // The first three planes are the colours of the palette entries, the fourth is their opacity.
  Array imageOfIndices(const std::uint8_t *indices) const {
    png_colorp entries = nullptr;
    int count = 0;
    png_get_PLTE(m_png, m_info, &entries, &count);
    png_bytep opacities = nullptr;
    int withOpacity = 0;
    png_get_tRNS(m_png, m_info, &opacities, &withOpacity, nullptr);
    std::array<std::array<std::uint8_t, 256>, 4> planes{};
    planes[3].fill(255);
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
      planes[0][i] = entries[i].red;
      planes[1][i] = entries[i].green;
      planes[2][i] = entries[i].blue;
    }
    std::copy_n(opacities, withOpacity, planes[3].begin());
    Array image = imageFrom(width(), height(), 1, 1, 255, indices);
    const std::size_t pixels = image.data.size();
    image.extents.push_back(static_cast<std::int64_t>(channels()));
    image.data.resize(channels() * pixels);
    for (std::size_t channel = 0; channel < channels(); ++channel)
      std::transform(indices, indices + pixels,
                     image.data.begin() + static_cast<std::ptrdiff_t>(channel * pixels),
                     [&](std::uint8_t index) { return planes[channel][index]; });
    return image;
  }

  bool hasPalette() const { return png_get_color_type(m_png, m_info) == PNG_COLOR_TYPE_PALETTE; }

  Bytes m_rest;
  Reason m_reason{};
  png_structp m_png;
  png_infop m_info;
};

bool write(png_structp png, png_infop info, const Picture &picture,
           std::vector<std::uint8_t> &out) {
  if (setjmp(png_jmpbuf(png)) != 0) return false;
  png_set_write_fn(png, &out, &put, &flushNothing);
  png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  png_set_IHDR(png, info, static_cast<png_uint_32>(picture.width),
               static_cast<png_uint_32>(picture.height), 8,
               picture.channels == 1 ? PNG_COLOR_TYPE_GRAY : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_compression_level(png, Z_BEST_SPEED);
  png_write_info(png, info);
  const std::size_t rowBytes = static_cast<std::size_t>(picture.width) * picture.channels;
  for (std::size_t y = 0; y < static_cast<std::size_t>(picture.height); ++y)
    png_write_row(png, picture.pixels.data() + y * rowBytes);
  png_write_end(png, info);
  return true;
}

} // namespace

bool isPng(const std::vector<std::uint8_t> &bytes) {
  return bytes.size() >= kSignatureBytes && png_sig_cmp(bytes.data(), 0, kSignatureBytes) == 0;
}

Result<Array> pngFrom(const std::vector<std::uint8_t> &bytes, const std::string &file) {
  if (!isPng(bytes)) return refused(file, "it is not a PNG image.");
  PngReader reader(bytes);
  if (!reader.hasMemory()) return noMemory(file);
  if (!reader.readHeader()) return reader.refusal(file);
  if (reader.isTooLarge()) return refused(file, "it is too large to be an input.");
  if (!holdsBytes(bytes, reader.storedBytes())) return damaged(file);
  std::vector<std::uint8_t> pixels(reader.height() * reader.readRowBytes());
  if (!reader.readRows(pixels.data())) return reader.refusal(file);
  if (!reader.hasEveryColour(pixels.data())) return damaged(file);
  return reader.imageOf(pixels.data());
}

Result<std::vector<std::uint8_t>> pngOf(const Picture &picture) {
  Reason reason{};
  std::vector<std::uint8_t> bytes;
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &reason, &stop, &ignoreWarning);
  png_infop info = png ? png_create_info_struct(png) : nullptr;
  const bool isWritten = info && write(png, info, picture, bytes);
  png_destroy_write_struct(&png, &info);
  if (!isWritten)
    return Error{ErrorCode::System,
                 std::string("A PNG image cannot be written: ") +
                     (reason[0] != '\0' ? reason.data() : "out of memory") + ".",
                 ""};
  return bytes;
}

} // namespace tessera::array

// SPDX-License-Identifier: MIT
#include "engine/array/read_array.h"

#include "engine/array/npy.h"
#include "engine/array/png.h"
#include "engine/array/pnm.h"

#include <filesystem>
#include <fstream>

namespace tessera::array {

Result<Array> arrayFrom(std::vector<std::uint8_t> bytes, const std::string &file) {
  if (isPng(bytes)) return pngFrom(bytes, file);
  if (isPnm(bytes)) return pnmFrom(bytes, file);
  if (isNpy(bytes)) return npyFrom(std::move(bytes), file);
  return refused(file, "it is neither a NumPy array nor an image (PNG, PGM, PPM).",
                 "numpy.save writes arrays, and image programs write images.");
}

Result<Array> readArray(const std::string &path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error))
    return refused(path, std::filesystem::is_directory(path, error) ? "it is a folder, not a file."
                                                                    : "there is no such file.");
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  constexpr std::size_t kHeader = std::size_t{1} << 20; // bytes that the header may add
  if (error || size > kMostBytes + kHeader)
    return refused(path, error ? "it cannot be read." : "it is too large to be an input.");
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(size));
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char *>(bytes.data()), static_cast<std::streamsize>(size));
  if (!file || file.gcount() != static_cast<std::streamsize>(size))
    return refused(path, "it cannot be read.");
  return arrayFrom(std::move(bytes), path);
}

} // namespace tessera::array

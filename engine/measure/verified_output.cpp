// SPDX-License-Identifier: MIT
#include "engine/measure/verified_output.h"

#include "engine/array/npy.h"
#include "engine/array/png.h"
#include "engine/array/read_array.h"
#include "engine/host/files.h"
#include "engine/report/compare_elements.h"

#include <limits>
#include <utility>

namespace tessera::measure {

namespace {

Status writeBytes(const std::string &path, const std::vector<std::uint8_t> &bytes) {
  return host::writeFile(path, {reinterpret_cast<const char *>(bytes.data()), bytes.size()});
}

pipeline::Box regionOf(const array::Array &array) {
  pipeline::Box region;
  for (const std::int64_t extent : array.extents)
    region.push_back({0, extent - 1});
  return region;
}

// The threshold for VerifiedOutput::excused, in the unit of report::errorsOf(). Any element with a
// larger error than the worst one reported must have been excused.
float excusedFrom(const report::OutputComparison &comparison) {
  if (comparison.undecided + comparison.magnified == 0)
    return std::numeric_limits<float>::infinity();
  const bool isRelative = comparison.rule == report::ComparisonRule::Relative;
  return static_cast<float>(comparison.worstError / (isRelative ? comparison.tolerance : 1));
}

} // namespace

Result<VerifiedOutput> readVerifiedOutput(const std::string &folder,
                                          const report::OutputComparison &comparison) {
  const std::string path = folder + "/" + comparison.name;
  auto found = array::readArray(path + ".npy");
  if (!found) return found.error();
  auto expected = array::readArray(path + ".expected.npy");
  if (!expected) return expected.error();
  if (found->type != expected->type || found->extents != expected->extents)
    return array::refused(path + ".npy", "its type or size differs from the expected output's.",
                          "Verify again.");
  VerifiedOutput output{comparison.name, std::move(*found), std::move(*expected), {}, {}};
  output.errors = report::errorsOf(output.expected.data.data(), output.found.data.data(),
                                   report::denseLayout(output.found.type, regionOf(output.found)),
                                   {comparison.rule, comparison.tolerance});
  output.excused = excusedFrom(comparison);
  output.tones = array::tonesOf(output.expected);
  return output;
}

Status writeArray(const std::string &path, const array::Array &array) {
  return writeBytes(path, npyOf(array));
}

Status writePicture(const std::string &path, const array::Picture &picture) {
  const auto png = pngOf(picture);
  if (!png) return png.error();
  return writeBytes(path, *png);
}

Status writePictures(const std::string &folder, const VerifiedOutput &output) {
  const std::string path = folder + "/" + output.name;
  const array::Cut cut = array::usualCut(output.found.extents);
  const std::pair<const char *, array::Picture> pictures[]{
      {".png", pictureOf(output.found, cut, output.tones)},
      {".expected.png", pictureOf(output.expected, cut, output.tones)},
      {".difference.png", differenceOf(output.errors, output.found.extents, cut, output.excused)}};
  for (const auto &[ending, picture] : pictures)
    if (Status written = writePicture(path + ending, picture); !written) return written;
  return Done{};
}

} // namespace tessera::measure

// SPDX-License-Identifier: MIT
#pragma once

#include "engine/array/array.h"
#include "engine/array/picture.h"
#include "engine/report/verify_report.h"

#include <limits>
#include <string>
#include <vector>

namespace tessera::measure {

// An output of a verification, with the found and the expected elements.
struct VerifiedOutput {
  std::string name;
  array::Array found, expected;
  std::vector<float> errors; // per element, as a multiple of the tolerance (report::errorsOf)
  array::Tones tones;        // for both arrays
  // Errors above this value and above 1 were excused, because rounding decides these elements in
  // the reference too. Some smaller errors may be excused as well; the comparison only counts them.
  float excused = std::numeric_limits<float>::infinity();
};

// Reads from the folder where a verification left its outputs (VerifyRequest::outputs): NAME.npy
// and NAME.expected.npy.
Result<VerifiedOutput> readVerifiedOutput(const std::string &folder,
                                          const report::OutputComparison &comparison);

Status writeArray(const std::string &path, const array::Array &array);       // as a NumPy file
Status writePicture(const std::string &path, const array::Picture &picture); // as a PNG file

// Writes NAME.png, NAME.expected.png and NAME.difference.png to the folder, in the usual view of
// the array.
Status writePictures(const std::string &folder, const VerifiedOutput &output);

} // namespace tessera::measure

// SPDX-License-Identifier: MIT
#pragma once

#include "engine/array/array.h"
#include "engine/array/picture.h"
#include "engine/report/verify_report.h"

#include <limits>
#include <string>
#include <vector>

namespace tessera::measure {

// What a verification found of an output, beside what it should have found.
struct VerifiedOutput {
  std::string name;
  array::Array found, expected;
  std::vector<float> errors; // of each number, in the most that is allowed (schedule::errorsOf)
  array::Tones tones;        // of both
  // Errors above that and above 1 were excused, as rounding decides there in the reference too.
  // Some below may be; the comparison only counts them.
  float excused = std::numeric_limits<float>::infinity();
};

// From the folder where a verification left its outputs (VerifyRequest::outputs): NAME.npy and
// NAME.expected.npy.
Result<VerifiedOutput> readVerifiedOutput(const std::string &folder,
                                          const report::OutputComparison &comparison);

Status writeArray(const std::string &path, const array::Array &array);       // NumPy's form
Status writePicture(const std::string &path, const array::Picture &picture); // PNG

// Beside those: NAME.png, NAME.expected.png, NAME.difference.png, as they are usually looked at.
Status writePictures(const std::string &folder, const VerifiedOutput &output);

} // namespace tessera::measure

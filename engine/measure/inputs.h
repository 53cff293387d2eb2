// SPDX-License-Identifier: MIT
#pragma once

#include "engine/measure/compile.h"
#include "engine/measure/run_inputs.h"
#include "engine/bench/input_folder.h"
#include "engine/open/open.h"

#include <string>
#include <string_view>
#include <vector>

namespace tessera::measure {

// One `--input name=…`: the value of a scalar if the text is a number, true or false, otherwise a
// file for a buffer. The value of a scalar also becomes its estimate, since it may decide about
// sizes.
struct GivenValue {
  std::string name, text;
  bool isScalar = false;
};
Result<GivenValue> parseInput(std::string_view text);

// The user's files as arrays of the type and size of the pipeline's inputs. Images for float inputs
// are scaled so that full brightness is 1. An error says what the file contains, what the input
// requires, and which size of the pipeline would accept the file.
Result<std::vector<bench::GivenInput>> readGivenInputs(const std::vector<GivenValue> &values,
                                                       const open::OpenedPipeline &opened);

// Reads the inputs that a document stores, in the same way.
Result<std::vector<bench::GivenInput>> readGivenInputs(const RunInputs &inputs,
                                                       const open::OpenedPipeline &opened);

// Writes the inputs to a folder in the form that a verification reads.
Result<std::vector<InputFile>> placedInputs(const std::vector<bench::GivenInput> &inputs,
                                            const std::string &folder);

} // namespace tessera::measure

// SPDX-License-Identifier: MIT
#pragma once

#include "engine/bench/input_folder.h"
#include "engine/measure/compile.h"
#include "engine/open/open.h"
#include "engine/measure/run_inputs.h"

#include <string>
#include <string_view>
#include <vector>

namespace tessera::measure {

// One `--input name=…`: a file for a buffer, or the value of a scalar, which is what can be read as
// one. A scalar's value is its estimate too, since it may decide how large everything is.
struct GivenValue {
  std::string name, text;
  bool isScalar = false;
};
Result<GivenValue> parseInput(std::string_view text);

// The user's files, as the pipeline takes them: of the type and size of their inputs. Images for
// inputs of floats are scaled, full brightness becoming 1. An error says what the file holds, what
// would be taken, and which size of the pipeline's would take it.
Result<std::vector<bench::GivenInput>> readGivenInputs(const std::vector<GivenValue> &values,
                                                       const open::OpenedPipeline &opened);

// The same of what a document's schedules are run on.
Result<std::vector<bench::GivenInput>> readGivenInputs(const RunInputs &inputs,
                                                       const open::OpenedPipeline &opened);

// Written to a folder, as a verification reads them.
Result<std::vector<InputFile>> placedInputs(const std::vector<bench::GivenInput> &inputs,
                                            const std::string &folder);

} // namespace tessera::measure

// SPDX-License-Identifier: MIT
#pragma once

#include "engine/bench/input_folder.h"
#include "engine/session/compile.h"
#include "engine/session/open.h"

#include <string>
#include <string_view>
#include <vector>

namespace tessera::session {

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
                                                       const OpenedPipeline &opened);

// What a verification reads of such a folder.
Result<std::vector<InputFile>> inputFilesIn(const std::string &folder);

} // namespace tessera::session

// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"

#include <string>
#include <string_view>

namespace tessera::open {

// The kind of a file, decided by its content. The file extension only decides if the content
// cannot.
enum class SourceKind { SerializedPipeline, GeneratorProgram, GeneratorLibrary, GeneratorSource };

std::string_view name(SourceKind kind); // "serialized pipeline", "generator program", …
Result<SourceKind> detectSourceKind(const std::string &path);

} // namespace tessera::open

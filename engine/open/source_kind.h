// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"

#include <string>
#include <string_view>

namespace tessera::open {

// What a file is, decided by its content; the ending only settles what content cannot.
enum class SourceKind { SerializedPipeline, GeneratorProgram, GeneratorLibrary, GeneratorSource };

std::string_view name(SourceKind kind); // "serialized pipeline", "generator program", …
Result<SourceKind> detectSourceKind(const std::string &path);

} // namespace tessera::open

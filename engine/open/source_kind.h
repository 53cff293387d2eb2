// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/record/word.h"

#include <string>
#include <string_view>

namespace tessera::open {

// The kind of a file. The content decides for programs, libraries and files that look like a
// serialized pipeline. Any other file is a serialized pipeline if it ends in .hlpipe, or a source
// if it is text with an extension of C++.
enum class SourceKind { SerializedPipeline, GeneratorProgram, GeneratorLibrary, GeneratorSource };

record::Word wordOf(SourceKind kind); // "serialized pipeline", "generator program", …
inline std::string_view name(SourceKind kind) { return wordOf(kind).text(); }
Result<SourceKind> detectSourceKind(const std::string &path);

} // namespace tessera::open

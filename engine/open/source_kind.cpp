// SPDX-License-Identifier: MIT
#include "engine/open/source_kind.h"

#include "engine/host/files.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <optional>

namespace tessera::open {
namespace {

constexpr std::size_t kHeadBytes = 4096;

template <typename T>
std::optional<T> load(std::string_view bytes, std::size_t at) {
  if (at > bytes.size() || bytes.size() - at < sizeof(T)) return std::nullopt;
  T value{};
  std::memcpy(&value, bytes.data() + at, sizeof(T));
  return value;
}

// A program names an interpreter (the dynamic loader), a library does not. Both may be ET_DYN.
Result<SourceKind> kindOfElf(std::string_view head, const std::string &path) {
  constexpr std::uint16_t kRelocatable = 1;
  constexpr std::uint16_t kProgram = 2;
  constexpr std::uint32_t kInterpreter = 3;
  if (head.size() < 64 || head[4] != 2)
    return Error{ErrorCode::InputRefused, "'" + path + "' is not a 64-bit program or library.", ""};
  const auto type = load<std::uint16_t>(head, 16).value_or(0);
  if (type == kRelocatable)
    return Error{ErrorCode::InputRefused, "'" + path + "' is an object file, not yet linked.",
                 "Link it with Halide's GenGen into a generator program."};
  if (type == kProgram) return SourceKind::GeneratorProgram;
  const auto headers = load<std::uint64_t>(head, 32).value_or(0);
  const auto entryBytes = load<std::uint16_t>(head, 54).value_or(0);
  const auto entries = load<std::uint16_t>(head, 56).value_or(0);
  for (std::uint64_t i = 0; i < entries; ++i)
    if (load<std::uint32_t>(head, headers + i * entryBytes) == kInterpreter)
      return SourceKind::GeneratorProgram;
  return SourceKind::GeneratorLibrary;
}

// These FlatBuffers have no magic number. The first word leads to a table, whose own first word
// leads back to a table of offsets. Halide's reader follows them unchecked, so the worker checks
// the file thoroughly later.
bool looksLikeFlatBuffer(std::string_view head) {
  const auto root = load<std::uint32_t>(head, 0);
  if (!root || *root < 4 || *root % 4 != 0) return false;
  const auto back = load<std::int32_t>(head, *root);
  if (!back) return false;
  const std::int64_t vtable = static_cast<std::int64_t>(*root) - *back;
  if (vtable < 4 || vtable >= static_cast<std::int64_t>(head.size())) return false;
  const auto bytes = load<std::uint16_t>(head, static_cast<std::size_t>(vtable));
  return bytes && *bytes >= 4 && *bytes % 2 == 0 && *bytes < 256;
}

bool isText(std::string_view head) {
  return std::none_of(head.begin(), head.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 && std::strchr("\t\n\r\f\v", c) == nullptr;
  });
}

bool hasEnding(const std::string &path, std::initializer_list<std::string_view> endings) {
  const std::string ending = std::filesystem::path(path).extension().string();
  return std::find(endings.begin(), endings.end(), ending) != endings.end();
}

} // namespace

record::Word wordOf(SourceKind kind) {
  switch (kind) {
  case SourceKind::SerializedPipeline:
    return "serialized pipeline";
  case SourceKind::GeneratorProgram:
    return "generator program";
  case SourceKind::GeneratorLibrary:
    return "generator library";
  case SourceKind::GeneratorSource:
    break;
  }
  return "generator source";
}

Result<SourceKind> detectSourceKind(const std::string &path) {
  const Result<std::string> content = host::readHead(path, kHeadBytes);
  if (!content) return content.error();
  const std::string_view head = *content;
  if (head.empty()) return Error{ErrorCode::InputRefused, "'" + path + "' is empty.", ""};
  if (head.starts_with("\x7f"
                       "ELF"))
    return kindOfElf(head, path);
  if (hasEnding(path, {".hlpipe"}) || looksLikeFlatBuffer(head))
    return SourceKind::SerializedPipeline;
  if (isText(head) && hasEnding(path, {".cpp", ".cc", ".cxx", ".C"}))
    return SourceKind::GeneratorSource;
  return Error{ErrorCode::InputRefused, "'" + path + "' holds no pipeline that can be opened.",
               "What can be opened: a serialized pipeline (.hlpipe), a generator program or shared "
               "library, or a generator's C++ source (.cpp)."};
}

} // namespace tessera::open

// SPDX-License-Identifier: MIT
#include "engine/halide/import/file_check.h"

#include "engine/halide/import/file_schema.h"

#include <Halide.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <optional>

namespace tessera::halide {

namespace {

using Kind = FileSchema::Kind;

constexpr std::size_t kSmallestFile = 64;
constexpr std::size_t kLargestFile = std::size_t{1} << 30;
// The limit for the depth of nested tables; Halide's reader recurses equally deep.
constexpr int kMaxDepth = 4000;
// The slot of the version, counted from 0. Seven fields precede it, and one of them, the vector of
// unions, takes two slots.
constexpr std::size_t kVersionField = 8;

// Reads little-endian numbers, never outside the file.
class Bytes {
public:
  explicit Bytes(std::span<const std::uint8_t> bytes) : m_bytes(bytes) {}

  std::size_t size() const { return m_bytes.size(); }
  bool has(std::size_t at, std::size_t count) const {
    return at <= m_bytes.size() && count <= m_bytes.size() - at;
  }
  std::uint32_t u32(std::size_t at) const { return number<std::uint32_t>(at); }
  std::uint16_t u16(std::size_t at) const { return number<std::uint16_t>(at); }
  std::uint8_t u8(std::size_t at) const { return m_bytes[at]; }
  const char *text(std::size_t at) const { return reinterpret_cast<const char *>(&m_bytes[at]); }

private:
  template <typename T>
  T number(std::size_t at) const {
    T value;
    std::memcpy(&value, &m_bytes[at], sizeof value);
    return value;
  }
  std::span<const std::uint8_t> m_bytes;
};

struct TableView {
  std::size_t at = 0;
  std::size_t vtable = 0;
  std::size_t slots = 0;
  std::size_t bytes = 0;
};

class Walker {
public:
  explicit Walker(std::span<const std::uint8_t> bytes) : m_bytes(bytes) {}

  // The first problem found in the file; empty if there is none.
  const std::string &problem() const { return m_problem; }

  std::optional<TableView> root() {
    const auto at = follow(0);
    return at ? table(*at) : std::nullopt;
  }

  void walk(const TableView &view, std::uint32_t type, int depth) {
    const FileSchema::Table &schema = fileSchema().tables[type];
    if (depth > kMaxDepth) return fail("is nested too deeply", view.at);
    // A table takes at least four bytes. If the walk visits more tables than fit in the file, then
    // it has visited some of them repeatedly, and a small file could consume a large amount of
    // memory.
    if (++m_tables > m_bytes.size() / 4)
      return fail("refers to the same data over and over", view.at);
    std::size_t slot = 0;
    for (const FileSchema::Field &field : schema.fields) {
      const bool isUnion = field.kind == Kind::Expr || field.kind == Kind::Stmt ||
                           field.kind == Kind::Exprs || field.kind == Kind::Stmts;
      if (isUnion)
        walkUnion(view, slot, field.kind, depth);
      else
        walkField(view, slot, field, depth);
      if (!m_problem.empty()) return;
      slot += isUnion ? 2 : 1;
    }
    if (view.slots > slot) fail("has a " + schema.name + " with unknown fields", view.at);
  }

  // The text in a field of a table, if the field is set.
  std::string textField(const TableView &view, std::size_t slot) {
    const auto at = field(view, slot, 4);
    const auto target = at ? follow(*at) : std::nullopt;
    const auto length = target ? vectorLength(*target, 1) : std::nullopt;
    return length ? std::string(m_bytes.text(*target + 4), *length) : std::string();
  }

private:
  void fail(const std::string &what, std::size_t at) {
    if (m_problem.empty()) m_problem = what + " (byte " + std::to_string(at) + ")";
  }

  // The position that the offset stored at `at` points to.
  std::optional<std::size_t> follow(std::size_t at) {
    if (!m_bytes.has(at, 4)) return fail("ends in the middle of an offset", at), std::nullopt;
    const std::size_t target = at + m_bytes.u32(at);
    if (target == at || !m_bytes.has(target, 4) || target % 4 != 0)
      return fail("has an offset that points outside the file", at), std::nullopt;
    return target;
  }

  std::optional<TableView> table(std::size_t at) {
    if (!m_bytes.has(at, 4)) return fail("has a table outside the file", at), std::nullopt;
    const auto back = static_cast<std::int64_t>(static_cast<std::int32_t>(m_bytes.u32(at)));
    const std::int64_t vtable = static_cast<std::int64_t>(at) - back;
    if (vtable < 0 || vtable % 2 != 0 || !m_bytes.has(static_cast<std::size_t>(vtable), 4))
      return fail("has a table without a layout", at), std::nullopt;
    TableView view{at, static_cast<std::size_t>(vtable), 0, 0};
    const std::size_t vtableBytes = m_bytes.u16(view.vtable);
    view.bytes = m_bytes.u16(view.vtable + 2);
    const bool sound = vtableBytes >= 4 && vtableBytes % 2 == 0 &&
                       m_bytes.has(view.vtable, vtableBytes) && view.bytes >= 4 &&
                       m_bytes.has(at, view.bytes);
    if (!sound) return fail("has a table with a damaged layout", at), std::nullopt;
    view.slots = (vtableBytes - 4) / 2;
    return view;
  }

  // The position of a field; nullopt if it is not set, which is not an error.
  std::optional<std::size_t> field(const TableView &view, std::size_t slot, std::size_t bytes) {
    if (slot >= view.slots) return std::nullopt;
    const std::size_t offset = m_bytes.u16(view.vtable + 4 + 2 * slot);
    if (offset == 0) return std::nullopt;
    if (offset < 4 || offset + bytes > view.bytes)
      return fail("has a field outside its table", view.at), std::nullopt;
    return view.at + offset;
  }

  std::optional<std::size_t> vectorLength(std::size_t at, std::size_t elementBytes) {
    const std::size_t length = m_bytes.u32(at);
    if (!m_bytes.has(at + 4, length * elementBytes))
      return fail("has a list that runs past its end", at), std::nullopt;
    return length;
  }

  void walkText(std::size_t at) {
    const auto length = vectorLength(at, 1);
    if (!length) return;
    const bool ends = m_bytes.has(at + 4 + *length, 1) && m_bytes.u8(at + 4 + *length) == 0;
    if (!ends || std::memchr(m_bytes.text(at + 4), 0, *length)) fail("has a damaged string", at);
  }

  void walkTableAt(std::size_t at, std::uint32_t type, int depth) {
    if (const auto view = table(at)) walk(*view, type, depth + 1);
  }

  void walkField(const TableView &view, std::size_t slot, FileSchema::Field what, int depth) {
    const std::size_t bytes = what.kind == Kind::Byte ? 1 : what.kind == Kind::Long ? 8 : 4;
    const auto at = field(view, slot, bytes);
    if (!at || what.kind == Kind::Byte || what.kind == Kind::Int || what.kind == Kind::Long) return;
    const auto target = follow(*at);
    if (!target) return;
    if (what.kind == Kind::Text) return walkText(*target);
    if (what.kind == Kind::Table) return walkTableAt(*target, what.table, depth);
    const auto length = vectorLength(*target, what.kind == Kind::Bytes ? 1 : 4);
    if (!length || what.kind == Kind::Bytes || what.kind == Kind::Ints) return;
    for (std::size_t i = 0; i < *length && m_problem.empty(); ++i) {
      const auto element = follow(*target + 4 + 4 * i);
      if (!element) return;
      if (what.kind == Kind::Texts)
        walkText(*element);
      else
        walkTableAt(*element, what.table, depth);
    }
  }

  void walkUnionValue(std::uint8_t type, std::size_t at, bool isExpr, int depth) {
    const auto &members = isExpr ? fileSchema().exprs : fileSchema().stmts;
    if (type == 0 || type > members.size())
      return fail(isExpr ? "has an unknown kind of expression" : "has an unknown kind of statement",
                  at);
    if (const auto target = follow(at)) walkTableAt(*target, members[type - 1u], depth);
  }

  void walkUnion(const TableView &view, std::size_t slot, Kind kind, int depth) {
    const bool vector = kind == Kind::Exprs || kind == Kind::Stmts;
    const bool isExpr = kind == Kind::Expr || kind == Kind::Exprs;
    const auto types = field(view, slot, vector ? 4 : 1);
    const auto values = field(view, slot + 1, 4);
    if (!m_problem.empty() || (!types && !values)) return;
    if (!types || !values) return fail("has a value without a type", view.at);
    if (!vector) return walkUnionValue(m_bytes.u8(*types), *values, isExpr, depth);
    const auto typesAt = follow(*types), valuesAt = follow(*values);
    if (!typesAt || !valuesAt) return;
    const auto typeCount = vectorLength(*typesAt, 1), valueCount = vectorLength(*valuesAt, 4);
    if (!typeCount || !valueCount) return;
    if (*typeCount != *valueCount)
      return fail("has a different number of values and types", *valuesAt);
    for (std::size_t i = 0; i < *typeCount && m_problem.empty(); ++i)
      walkUnionValue(m_bytes.u8(*typesAt + 4 + i), *valuesAt + 4 + 4 * i, isExpr, depth);
  }

  Bytes m_bytes;
  std::size_t m_tables = 0;
  std::string m_problem;
};

bool looksLikeVersion(const std::string &text) {
  return !text.empty() && text.size() <= 20 && std::isdigit(static_cast<unsigned char>(text[0])) &&
         text.find_first_not_of("0123456789.-abcdefghijklmnopqrstuvwxyz") == std::string::npos &&
         text.find('.') != std::string::npos;
}

Error refused(const std::string &path, const std::string &why, const std::string &hint) {
  return Error{ErrorCode::InputRefused, path + ": " + why, hint};
}

} // namespace

std::string halideVersion() {
  return std::to_string(HALIDE_VERSION_MAJOR) + "." + std::to_string(HALIDE_VERSION_MINOR) + "." +
         std::to_string(HALIDE_VERSION_PATCH);
}

Status checkPipelineFile(std::span<const std::uint8_t> bytes, const std::string &path) {
  const char *notOurs = "Open a file that Halide's serializer wrote (NAME.hlpipe).";
  if (bytes.size() < kSmallestFile)
    return refused(path,
                   bytes.empty()
                       ? "the file is empty"
                       : "not a Halide pipeline: only " + std::to_string(bytes.size()) + " bytes",
                   notOurs);
  if (bytes.size() > kLargestFile) return refused(path, "larger than 1 GiB", notOurs);

  Walker walker(bytes);
  const auto root = walker.root();
  if (!root)
    return refused(path, "not a Halide pipeline, or damaged: it " + walker.problem(), notOurs);
  const std::string version = walker.textField(*root, kVersionField);
  if (!looksLikeVersion(version))
    return refused(path, "not a Halide pipeline, or damaged: no version of Halide in it", notOurs);
  if (version != halideVersion())
    return refused(path, "made by Halide " + version + ", but Tessera uses " + halideVersion(),
                   "Write the file again with Halide " + halideVersion() + ".");
  walker.walk(*root, fileSchema().root, 0);
  if (!walker.problem().empty())
    return refused(path, "truncated or damaged: it " + walker.problem(),
                   "Write the file again, or get a fresh copy.");
  return Done{};
}

} // namespace tessera::halide

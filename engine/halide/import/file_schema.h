// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tessera::halide {

// The layout of Halide's file format, as far as a reader has to know it to stay inside the file:
// which fields of which table are offsets, and to what.
struct FileSchema {
  enum class Kind : std::uint8_t {
    Byte,
    Int,
    Long,
    Text,
    Table, // of `table`
    Expr,  // a union: two fields, type and value
    Stmt,  //
    Bytes, // vectors of the above from here on
    Ints,
    Texts,
    Tables,
    Exprs,
    Stmts,
  };
  struct Field {
    Kind kind = Kind::Byte;
    std::uint32_t table = 0; // into `tables`
  };
  struct Table {
    std::string name;
    std::vector<Field> fields;
  };

  std::vector<Table> tables;
  std::vector<std::uint32_t> exprs; // by type number - 1, into `tables`
  std::vector<std::uint32_t> stmts;
  std::uint32_t root = 0;
};

// The schema of the Halide version that this program is built with.
const FileSchema &fileSchema();

} // namespace tessera::halide

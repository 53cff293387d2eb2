// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tessera::halide {

// The part of Halide's file layout that a reader needs to stay inside the file: which fields of
// which table are offsets, and to what they point.
struct FileSchema {
  enum class Kind : std::uint8_t {
    Byte,
    Int,
    Long,
    Text,
    Table, // the table is in Field::table
    Expr,  // a union, stored as two fields: type and value
    Stmt,  // a union like Expr
    Bytes, // this and the kinds below are vectors
    Ints,
    Texts,
    Tables,
    Exprs,
    Stmts,
  };
  struct Field {
    Kind kind = Kind::Byte;
    std::uint32_t table = 0; // index into `tables`
  };
  struct Table {
    std::string name;
    std::vector<Field> fields;
  };

  std::vector<Table> tables;
  std::vector<std::uint32_t> exprs; // indices into `tables`; entry i is for the union's type i + 1
  std::vector<std::uint32_t> stmts;
  std::uint32_t root = 0;
};

// The schema of the Halide version that this program is built with.
const FileSchema &fileSchema();

} // namespace tessera::halide

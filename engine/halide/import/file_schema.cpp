// SPDX-License-Identifier: MIT
#include "engine/halide/import/file_schema.h"

#include <map>
#include <sstream>
#include <string_view>

namespace tessera::halide {

namespace {

// One table per line: its name, then its fields in order. `b`, `i`, `l`: a number of 1, 4, 8 bytes;
// `s`: a text; `E`: an expression; `S`: a statement; a name: a table; `*` before any: a vector.
constexpr std::string_view kTables = R"(
LetStmt s E S
AssertStmt E E
ProducerConsumer s b S b
For s E E b b b S
Store s E E E s ModulusRemainder
Provide s *E *E E
Allocate s Type b *E E E s i S
Free s
Realize s *Type b *Range E S
Block S S
IfThenElse E S S
Evaluate E
Prefetch s *Type *Range PrefetchDirective E S
Acquire E E S
Fork S S
Atomic s s S
HoistedStorage s S
UndefinedStmt
IntImm l Type
UIntImm l Type
FloatImm l Type
StringImm s
Cast E Type
Reinterpret E Type
Add E E
Sub E E
Mul E E
Div E E
Mod E E
Min E E
Max E E
EQ E E
NE E E
LT E E
LE E E
GT E E
GE E E
And E E
Or E E
Not E
Select E E E
Load s E E s s ModulusRemainder Type
Ramp E E i
Broadcast E i
Let s E E
Call s *E b i i s s Type
Variable s Type s s ReductionDomain
Shuffle *E *i
VectorReduce E b i
UndefinedExpr
Range E E
ModulusRemainder l l
PrefetchDirective s s s E b s
ReductionVariable s E E
ReductionDomain b *ReductionVariable E b
Type b b i
Bound s E E E E
StorageDim s E E E b
LoopLevel s i s b b
WrapperRef s i
FuncSchedule LoopLevel LoopLevel LoopLevel *StorageDim *Bound *Bound *WrapperRef b b b E E
Specialization E Definition s
Split s s s E b b b
Dim s b b b b
FuseLoopLevel LoopLevel *s *b
FusedPair s s i i s
StageSchedule *ReductionVariable *Split *Dim *PrefetchDirective FuseLoopLevel *FusedPair b b b b
Definition b E *E *E StageSchedule *Specialization s
BufferConstraint E E E E E
Parameter b b Type i s i *BufferConstraint b l E E E E
ExternalParameter b Type i s
ExternFuncArgument b i s E s
BufferDimension i i i
Buffer b s Type i *BufferDimension *b
Func s s *Type *Type i *s FuncSchedule Definition *Definition s *s *ExternFuncArgument s b b E b b b *s b b
Pipeline *Func *s *S *s *Parameter *ExternalParameter *Buffer s s
)";
constexpr std::string_view kFirstExpr = "IntImm", kLastExpr = "UndefinedExpr";
constexpr std::string_view kFirstStmt = "LetStmt", kLastStmt = "UndefinedStmt";

using Kind = FileSchema::Kind;

Kind vectorOf(Kind kind) {
  switch (kind) {
  case Kind::Byte:
    return Kind::Bytes;
  case Kind::Int:
    return Kind::Ints;
  case Kind::Text:
    return Kind::Texts;
  case Kind::Table:
    return Kind::Tables;
  case Kind::Expr:
    return Kind::Exprs;
  case Kind::Stmt:
    return Kind::Stmts;
  default:
    return kind;
  }
}

FileSchema::Field fieldFrom(std::string word, const std::map<std::string, std::uint32_t> &names) {
  const bool vector = word.front() == '*';
  if (vector) word.erase(0, 1);
  static const std::map<std::string, Kind> kLetters{{"b", Kind::Byte}, {"i", Kind::Int},
                                                    {"l", Kind::Long}, {"s", Kind::Text},
                                                    {"E", Kind::Expr}, {"S", Kind::Stmt}};
  const auto letter = kLetters.find(word);
  FileSchema::Field field;
  field.kind = letter == kLetters.end() ? Kind::Table : letter->second;
  if (field.kind == Kind::Table) field.table = names.at(word);
  if (vector) field.kind = vectorOf(field.kind);
  return field;
}

FileSchema parse() {
  FileSchema schema;
  std::vector<std::string> lines;
  std::map<std::string, std::uint32_t> names;
  std::istringstream text{std::string(kTables)};
  for (std::string line; std::getline(text, line);) {
    if (line.empty()) continue;
    names.emplace(line.substr(0, line.find(' ')), static_cast<std::uint32_t>(lines.size()));
    lines.push_back(line);
  }
  for (const std::string &line : lines) {
    std::istringstream words(line);
    FileSchema::Table table;
    words >> table.name;
    for (std::string word; words >> word;)
      table.fields.push_back(fieldFrom(word, names));
    schema.tables.push_back(std::move(table));
  }
  const auto fill = [&](std::vector<std::uint32_t> &into, auto first, auto last) {
    for (std::uint32_t i = names.at(std::string(first)); i <= names.at(std::string(last)); ++i)
      into.push_back(i);
  };
  fill(schema.exprs, kFirstExpr, kLastExpr);
  fill(schema.stmts, kFirstStmt, kLastStmt);
  schema.root = names.at("Pipeline");
  return schema;
}

} // namespace

const FileSchema &fileSchema() {
  static const FileSchema schema = parse();
  return schema;
}

} // namespace tessera::halide

// SPDX-License-Identifier: MIT
#include "engine/schedule/text/cpp_parser.h"

#include "engine/schedule/text/call_reader.h"
#include "engine/schedule/text/cpp_comment.h"
#include "engine/schedule/text/cpp_lexer.h"
#include "engine/schedule/text/size_reader.h"
#include "engine/schedule/text/token_reader.h"
#include "engine/schedule/directives/handles.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace tessera::schedule {

namespace {

using Kind = Token::Kind;
using Names = CallReader::Names;

constexpr std::string_view kFunction = "apply_schedule_";
constexpr int kDeepest = 16; // deepest nesting of arguments

constexpr const char *kStatement =
    "Func, Var or RVar and a declaration, or a call on a func such as f.compute_root();";
constexpr const char *kFunc = "a func that was found by its name, such as find(\"f\")";
constexpr const char *kArgument =
    "a loop, a func, a number, true or false, LoopLevel(f, x), TailStrategy::..., MemoryType::... "
    "or a list of them in braces";

// What an identifier may stand for, besides a stage or a loop.
struct Fetcher {};        // a lambda or function that returns the func of a name
struct PipelineHandle {}; // the parameter of type Pipeline
struct Unused {};         // any other parameter of the function: the target
using Handle = std::variant<StageName, LoopName, Fetcher, PipelineHandle, Unused>;

// All names in the text, so that invented names differ from them.
Names namesIn(const LexedText &lexed) {
  Names names;
  for (const Token &token : lexed.tokens) {
    if (token.kind == Kind::String) names.insert(stringValue(token.text));
    if (token.kind == Kind::Identifier) names.emplace(token.text);
  }
  for (const Comment &comment : lexed.comments)
    if (std::string name = nameIn(comment.text); !name.empty()) names.insert(std::move(name));
  return names;
}

class CppParser : private TokenReader {
public:
  explicit CppParser(LexedText text)
      : TokenReader(std::move(text)), m_namesInText(namesIn(lexed())), m_reader(m_namesInText) {}

  Result<WrittenSchedule> run() {
    if (!readHeader() || !enterFunction() || !readBody() || !readEnd()) return *error();
    return std::move(m_out);
  }

private:
  // --- parts of the text, in the order of the text
  bool readHeader();
  bool enterFunction();
  bool readParameters(std::size_t end);
  bool readBody();
  bool readEnd();

  bool readStatement();
  bool readDeclaration(const Token &type);
  bool readLoop(const Token &name, bool reduction);
  bool readFoundLoop(const Token &name, bool reduction, const StageName &func);
  bool readFuncOrStage(const Token &type, const Token &name);
  bool readAuto(const Token &name);
  bool readCalls();
  bool readStageExpression(StageName &stage);
  bool readPrimary(StageName &stage);
  bool readCall(StageName &stage);
  bool readUpdate(const Token &call, const CallValue::List &values, StageName &stage);
  bool readMaking(std::size_t place, const CallValue::List &values, StageName &stage);
  bool readFetch(const Token &fetcher, StageName &stage);
  bool readWhich(std::string &func);
  bool readValues(std::string_view end, CallValue::List &values);
  bool readValue(CallValue &value);
  bool readEnumeration(CallValue &value);
  bool readLevel(CallValue &value);
  bool readNewLoop(CallValue &value);
  bool readNamed(CallValue &value);

  const Handle *handleOf(const Token &token) const {
    const auto found = m_handles.find(token.text);
    return token.kind != Kind::Identifier || found == m_handles.end() ? nullptr : &found->second;
  }
  bool declare(const Token &name, Handle handle) {
    if (name.kind != Kind::Identifier) return fail(unexpected(name, "a name for a variable"));
    if (!isShort(name, name.text)) return false;
    if (!m_handles.emplace(name.text, std::move(handle)).second)
      return fail(wrongAt(name, "'" + std::string(name.text) + "' is declared a second time",
                          "one declaration for each name"));
    return true;
  }
  void nameMade(const Token &variable, std::size_t end);
  void readStageOfPlace(Directive &directive);

  Names m_namesInText;
  CallReader m_reader;
  std::unordered_map<std::string_view, Handle> m_handles;
  Names m_fetched, m_made;
  // The name of the func that a call such as f.in(g) made, by the parts of the call.
  std::map<std::vector<std::string>, std::string> m_wrappers;
  std::size_t m_namedCall = 0; // index of the call's token; nameMade() sets it
  std::string m_nameOfCall;    // the name for the func that this call makes
  std::size_t m_bodyEnd = 0;
  bool m_hasHeader = false;
  int m_depth = 0;
  WrittenSchedule m_out;
};

bool CppParser::readHeader() {
  bool inside = false;
  std::uint32_t line = 0;
  for (const Comment &comment : lexed().comments) {
    std::string_view text = comment.text;
    if (text.starts_with(' ')) text.remove_prefix(1);
    if (!inside && text == kHeaderMark) {
      inside = true;
      line = comment.line;
    } else if (inside && comment.line == ++line) {
      if (const Status read = readHeaderLine(text, m_out.header); !read)
        return fail(wrongAt({.line = line}, read.error().message, read.error().hint));
    } else if (inside) {
      break;
    }
  }
  m_hasHeader = inside;
  return true;
}

// Functions before apply_schedule_NAME may be helpers that fetch funcs. All other text outside of
// apply_schedule_NAME is skipped.
bool CppParser::enterFunction() {
  for (; at().kind != Kind::End; skip()) {
    if (at().kind != Kind::Identifier || !at(1).is("(")) continue;
    const std::size_t end = at(1).partner;
    const bool ours = at().text.starts_with(kFunction);
    const Token &body = lexed().tokens[end + 1];
    if (!body.is("{")) continue;
    if (ours) {
      if (!m_hasHeader) m_out.header.pipeline = std::string(at().text.substr(kFunction.size()));
      skip(2);
      if (!readParameters(end)) return false;
      moveTo(end + 2);
      m_bodyEnd = body.partner;
      return true;
    }
    if (!declare(at(), Fetcher{})) return false;
    moveTo(body.partner);
  }
  return fail(unexpected(at(), "a function apply_schedule_NAME(::Halide::Pipeline pipeline, "
                               "::Halide::Target target) { ... }"));
}

bool CppParser::readParameters(std::size_t end) {
  while (place() < end) {
    const std::size_t comma = std::min(find(",", ","), end);
    bool isPipeline = false;
    for (std::size_t i = place(); i < comma; ++i)
      isPipeline = isPipeline || lexed().tokens[i].is("Pipeline");
    const Token &name = lexed().tokens[comma - 1];
    const bool named =
        comma > place() + 1 && name.kind == Kind::Identifier && !lexed().tokens[comma - 2].is("::");
    if (named && !declare(name, isPipeline ? Handle(PipelineHandle{}) : Handle(Unused{})))
      return false;
    moveTo(comma + 1);
  }
  return true;
}

bool CppParser::readBody() {
  while (place() < m_bodyEnd)
    if (!readStatement()) return false;
  return true;
}

bool CppParser::readEnd() {
  for (; at().kind != Kind::End; skip())
    if (at().kind == Kind::Identifier && at().text.starts_with(kFunction) && at(1).is("("))
      return fail(wrongAt(at(), "a second schedule begins", "one apply_schedule_NAME per text"));
  return true;
}

bool CppParser::readStatement() {
  if (accept(";")) return true;
  if (at().is("using")) return skipStatement();
  if (at().is("(") && at(1).is("void") && at(2).is(")") && handleOf(at(3)) && at(4).is(";")) {
    skip(5);
    return true;
  }
  accept("const");
  acceptQualifier();
  const Token &first = at();
  for (const std::string_view type : {"Func", "Var", "RVar", "Stage", "auto"})
    if (first.is(type) && !at(1).is("(")) return readDeclaration(first);
  if (!first.is("Func") && !handleOf(first)) return fail(unexpected(first, kStatement));
  return readCalls();
}

bool CppParser::readDeclaration(const Token &type) {
  skip();
  while (accept("&") || accept("const")) {
  }
  do {
    const Token &name = at();
    skip();
    const bool isLoop = type.is("Var") || type.is("RVar");
    const bool read = isLoop            ? readLoop(name, type.is("RVar"))
                      : type.is("auto") ? readAuto(name)
                                        : readFuncOrStage(type, name);
    if (!read) return false;
  } while (accept(","));
  return expect(";");
}

bool CppParser::readLoop(const Token &name, bool reduction) {
  if (at().is(";") || at().is(","))
    return declare(name, LoopName{std::string(name.text), reduction});
  if (accept("=")) {
    acceptQualifier();
    CallValue value;
    const Handle *handle = handleOf(at());
    if (const auto *func = handle ? std::get_if<StageName>(handle) : nullptr)
      return readFoundLoop(name, reduction, *func);
    if (!at().is("Var") && !at().is("RVar")) return fail(unexpected(at(), "Var(\"x\")"));
    return readNewLoop(value) && declare(name, *value.as<LoopName>());
  }
  const std::string_view end = at().is("{") ? "}" : ")";
  if (!accept("(") && !accept("{"))
    return fail(unexpected(at(), "the loop's name, such as x(\"x\")"));
  LoopName loop{{}, reduction};
  return readName("the loop's name in quotes", loop.name) && declare(name, std::move(loop)) &&
         expect(end);
}

// Reads f.args()[0] or f.rvars(1)[0].
bool CppParser::readFoundLoop(const Token &name, bool reduction, const StageName &func) {
  const Token &first = at();
  skip();
  LoopPlace found{func.func, 0, 0};
  const std::string list = reduction ? "rvars" : "args";
  if (!func.isFunc)
    return fail(wrongAt(first, "'" + std::string(first.text) + "' is an update, not a func",
                        "f." + list + "()[0]"));
  if (!expect(".") || !expect(list) || !expect("(")) return false;
  if (reduction && !at().is(")") && !readSmall(found.stage)) return false;
  if (reduction) ++found.stage;
  if (!expect(")") || !expect("[") || !readSmall(found.position) || !expect("]")) return false;
  std::string named = nameBehind(place());
  if (named.empty()) named = std::string(name.text);
  if (!m_out.names.loops.emplace(std::pair(named, reduction), std::move(found)).second)
    return fail(wrongAt(name, "a second loop is called '" + named + "'",
                        "a name of its own for each loop"));
  return isShort(name, named) && declare(name, LoopName{std::move(named), reduction});
}

// A variable of type auto is a lambda that fetches funcs, or a loop, a func or a stage.
bool CppParser::readAuto(const Token &name) {
  if (at().is("=") && at(1).is("[")) {
    moveTo(find(";", ";"));
    return declare(name, Fetcher{});
  }
  const std::size_t first = at(1).is("::") ? 2 : 1;
  const std::size_t type = at(first).is("Halide") ? first + 2 : 1;
  if (at().is("=") && (at(type).is("Var") || at(type).is("RVar"))) return readLoop(name, false);
  return readFuncOrStage(at(), name);
}

bool CppParser::readFuncOrStage(const Token &type, const Token &name) {
  const bool braced = at().is("{"), bracketed = braced || at().is("(");
  if (!bracketed && !at().is("=")) return fail(unexpected(at(), "= find(\"f\")"));
  const std::size_t bracketEnd = at().partner;
  skip();
  nameMade(name, bracketed ? bracketEnd : find(",", ";"));
  StageName stage;
  if (!readStageExpression(stage)) return false;
  if (bracketed && !expect(braced ? "}" : ")")) return false;
  if (type.is("Func") && !stage.isFunc)
    return fail(wrongAt(name, "'" + std::string(name.text) + "' is an update, not a func",
                        "auto or Stage"));
  return declare(name, std::move(stage));
}

// Names the func that the last call before `end` makes: by the comment behind the statement if the
// comment has a name, otherwise like the variable.
void CppParser::nameMade(const Token &variable, std::size_t end) {
  m_namedCall = 0;
  const auto &tokens = lexed().tokens;
  for (std::size_t i = place(); i < end; ++i) {
    if (tokens[i].is("(") || tokens[i].is("{") || tokens[i].is("[")) i = tokens[i].partner;
    const bool makes = tokens[i].kind == Kind::Identifier && tokens[i - 1].is(".") &&
                       CallReader::makesFunc(tokens[i].text);
    if (makes) m_namedCall = i;
  }
  m_nameOfCall = std::string(variable.text);
  if (m_namedCall == 0) return;
  if (std::string name = nameBehind(end); !name.empty()) m_nameOfCall = std::move(name);
}

bool CppParser::readCalls() {
  StageName stage;
  return readStageExpression(stage) && expect(";");
}

bool CppParser::readStageExpression(StageName &stage) {
  if (++m_depth > kDeepest) return fail(wrongAt(at(), "this is nested too deeply"));
  if (!readPrimary(stage)) return false;
  while (accept(".")) {
    const Token &call = at();
    if (!readCall(stage)) return false;
    if (call.is("specialize")) stage = CallReader::variantIn(m_out.directives);
  }
  --m_depth;
  return true;
}

bool CppParser::readPrimary(StageName &stage) {
  acceptQualifier();
  const Token &first = at();
  if (first.is("Func") && at(1).is("(")) {
    skip(2);
    return readStageExpression(stage) && expect(")");
  }
  const Handle *handle = handleOf(first);
  if (handle && std::holds_alternative<PipelineHandle>(*handle))
    return fail(
        unexpected(first, std::string(kFunc) + "; indices change with rfactor and wrappers"));
  if (handle && std::holds_alternative<Fetcher>(*handle)) return readFetch(first, stage);
  const auto *known = handle ? std::get_if<StageName>(handle) : nullptr;
  if (!known) return fail(unexpected(first, kFunc));
  stage = *known;
  skip();
  return true;
}

// Reads find("f"), find(pipeline, "f"), find("f", 2, 3) for the second of three funcs, or the same
// with its dimensions and updates behind it, and a func that it needs behind these.
bool CppParser::readFetch(const Token &fetcher, StageName &stage) {
  skip();
  if (!expect("(")) return false;
  if (const Handle *handle = handleOf(at());
      handle && std::holds_alternative<PipelineHandle>(*handle) && at(1).is(","))
    skip(2);
  stage = {};
  if (!readName("the func's name in quotes", stage.func)) return false;
  if (at().is(",") && !readWhich(stage.func)) return false;
  if (m_made.count(stage.func))
    return fail(wrongAt(fetcher, "'" + stage.func + "' is a func that this text itself makes",
                        "the variable that holds it"));
  m_fetched.insert(stage.func);
  return expect(")");
}

bool CppParser::readWhich(std::string &func) {
  LastingName name{func};
  const Token &comma = at();
  if (!expect(",") || !readSmall(name.which) || !expect(",") || !readSmall(name.of)) return false;
  if (at().is(",")) {
    FuncShape shape;
    if (!expect(",") || !readSmall(shape.dimensions) || !expect(",") || !readSmall(shape.updates))
      return false;
    name.shape = shape;
    if (at().is(",")) {
      skip();
      if (!readName("the name of a func in quotes", name.needs)) return false;
    }
  }
  if (name.which < 1 || name.which > name.of)
    return fail(wrongAt(comma, "these are not valid arguments behind a func's name",
                        "find(\"f\", 2, 3), the second of the three funcs that are called f"));
  func = textOf(name);
  if (name.of == 1 || m_out.names.funcs.try_emplace(func, name).first->second == name) return true;
  return fail(wrongAt(comma, "the number of funcs called '" + name.name + "' changes",
                      "the same number each time"));
}

bool CppParser::readCall(StageName &stage) {
  const std::size_t start = place();
  const Token &call = at();
  const bool isUpdate = call.is("update");
  if (call.kind != Kind::Identifier || !(isUpdate || CallReader::isKnown(call.text)))
    return fail(unexpected(call, CallReader::knownCalls()));
  skip();
  CallValue::List values;
  if (!expect("(") || !readValues(")", values)) return false;
  if (m_out.directives.size() >= kMaxDirectives)
    return fail(wrongAt(call, "there are too many calls for one schedule"));
  if (isUpdate) return readUpdate(call, values, stage);
  if (CallReader::makesFunc(call.text)) return readMaking(start, values, stage);
  const std::size_t first = m_out.directives.size();
  if (const auto problem = m_reader.read(stage, call.text, values, {}, m_out.directives))
    return fail(wrongAt(call, problem->what, problem->understood));
  if (m_out.directives.size() > first) readStageOfPlace(m_out.directives.back());
  return true;
}

// Reads the stage of a place from the comment on its line, because Halide refuses a stage in the
// call itself.
void CppParser::readStageOfPlace(Directive &directive) {
  auto *level = directive.arguments.empty() ? nullptr : std::get_if<Level>(&directive.arguments[0]);
  if (level && directive.verb != Verb::ComputeWith)
    if (const auto stage = stageIn(commentIn(lexed().tokens[place() - 1].line)))
      level->stage = *stage;
}

bool CppParser::readUpdate(const Token &call, const CallValue::List &values, StageName &stage) {
  constexpr std::int64_t kMost = 999'999;
  const std::int64_t *number = values.empty() ? nullptr : values[0].as<std::int64_t>();
  if (values.size() > 1 || (!values.empty() && (!number || *number < 0 || *number > kMost)))
    return fail(wrongAt(call, "these are not valid arguments of update", "update() or update(1)"));
  if (!stage.isFunc) return fail(wrongAt(call, "this is already an update", "update() of a func"));
  stage.stage = number ? static_cast<std::uint32_t>(*number) + 1 : 1;
  stage.isFunc = false;
  return true;
}

bool CppParser::readMaking(std::size_t place, const CallValue::List &values, StageName &stage) {
  const Token &call = lexed().tokens[place];
  std::vector<Directive> made;
  const bool named = place == m_namedCall;
  std::string name = named ? m_nameOfCall : "?";
  if (const auto problem = m_reader.read(stage, call.text, values, name, made))
    return fail(wrongAt(call, problem->what, problem->understood));
  // If a schedule calls in() or clone_in() twice with the same arguments, Halide returns the same
  // func.
  std::vector<std::string> wrapper{std::string(call.text), stage.func};
  for (const Argument &argument : made.front().arguments)
    if (const auto *consumer = std::get_if<FuncName>(&argument)) wrapper.push_back(consumer->name);
  const auto known = call.is("rfactor") ? m_wrappers.end() : m_wrappers.find(wrapper);
  if (!named && known != m_wrappers.end()) {
    stage = {known->second, 0, true};
    return true;
  }
  if (!named) name = m_reader.inventedFunc(stage, call.text, values, m_namesInText);
  if (!isShort(call, name)) return false;
  if (m_fetched.count(name) || !m_made.insert(name).second)
    return fail(wrongAt(call, "there is a func called '" + name + "' already",
                        "a name of its own for each func"));
  made.front().makes = name;
  m_out.directives.push_back(std::move(made.front()));
  m_wrappers.emplace(std::move(wrapper), name);
  stage = {std::move(name), 0, true};
  return true;
}

bool CppParser::readValues(std::string_view end, CallValue::List &values) {
  if (accept(end)) return true;
  do {
    values.emplace_back();
    if (!readValue(values.back())) return false;
  } while (accept(","));
  return accept(end) || fail(unexpected(at(), "',' or '" + std::string(end) + "'"));
}

bool CppParser::readValue(CallValue &value) {
  if (++m_depth > kDeepest) return fail(wrongAt(at(), "this is nested too deeply"));
  bool read = false;
  if (const std::size_t end = find(",", ","); hasSize(*this, end)) {
    SizeExpression size;
    read = readSize(*this, end, size);
    value.what = std::move(size);
  } else if (accept("{")) {
    CallValue::List items;
    read = readValues("}", items);
    value.what = std::move(items);
  } else if (at().kind == Kind::Number || at().is("-")) {
    std::int64_t number = 0;
    read = readNumber(number);
    value.what = number;
  } else if (at().kind == Kind::String) {
    Text text;
    read = readName("a text in quotes", text.text);
    value.what = std::move(text);
  } else if (at().is("true") || at().is("false")) {
    value.what = at().is("true");
    skip();
    read = true;
  } else {
    read = readNamed(value);
  }
  --m_depth;
  return read;
}

// Reads a value that begins with a name.
bool CppParser::readNamed(CallValue &value) {
  const std::size_t start = place();
  acceptQualifier();
  const Token &first = at();
  if (first.is("TailStrategy") || first.is("MemoryType") || first.is("DeviceAPI"))
    return readEnumeration(value);
  if (first.is("LoopLevel")) return readLevel(value);
  if (first.is("Var") || first.is("RVar")) return readNewLoop(value);
  moveTo(start);
  const Handle *handle = handleOf(at());
  if (const auto *loop = handle ? std::get_if<LoopName>(handle) : nullptr) {
    value.what = *loop;
    skip();
    return true;
  }
  if (!handle && !first.is("Func")) return fail(unexpected(first, kArgument));
  StageName stage;
  if (!readStageExpression(stage)) return false;
  value.what = std::move(stage);
  return true;
}

bool CppParser::readEnumeration(CallValue &value) {
  const Token &type = at();
  skip();
  if (!expect("::")) return false;
  const Token &word = at();
  skip();
  if (type.is("TailStrategy")) {
    const auto tail = tailFromHalideName(word.text);
    if (!tail)
      return fail(unexpected(word, "Auto, RoundUp, GuardWithIf, Predicate, PredicateLoads, "
                                   "PredicateStores, ShiftInwards, ShiftInwardsAndBlend or "
                                   "RoundUpAndBlend"));
    value.what = *tail;
  } else if (type.is("MemoryType")) {
    const auto storage = storageFromHalideName(word.text);
    if (!storage) return fail(unexpected(word, "Auto, Heap, GPUShared, Register or Stack"));
    value.what = *storage;
  } else if (word.is("Default_GPU")) {
    value.what = CallValue::DefaultGpu{};
  } else {
    return fail(unexpected(word, "Default_GPU: the target decides"));
  }
  return true;
}

bool CppParser::readLevel(CallValue &value) {
  const Token &token = at();
  skip();
  if (accept("::")) {
    value.what = CallValue::Root{};
    return expect("root") && expect("(") && expect(")");
  }
  const std::string_view end = at().is("{") ? "}" : ")";
  CallValue::List values;
  if (!accept("(") && !accept("{")) return fail(unexpected(at(), "'('"));
  if (!readValues(end, values)) return false;
  const auto *func = values.empty() ? nullptr : values[0].as<StageName>();
  const auto *loop = values.size() < 2 ? nullptr : values[1].as<LoopName>();
  const auto *stage = values.size() < 3 ? nullptr : values[2].as<std::int64_t>();
  if (!func || !func->isFunc || !loop || values.size() > 3 || (values.size() == 3 && !stage) ||
      (stage && (*stage < -1 || *stage > 1'000'000)))
    return fail(wrongAt(token, "these are not valid arguments of LoopLevel",
                        "LoopLevel(f, x) or LoopLevel(f, x, 1), where 1 means update(0)"));
  value.what =
      Level{func->func, stage && *stage > 0 ? static_cast<std::uint32_t>(*stage) : 0, *loop};
  return true;
}

// Reads Var("x"), RVar{"r$x"} or Var::outermost().
bool CppParser::readNewLoop(CallValue &value) {
  const bool reduction = at().is("RVar");
  skip();
  if (accept("::")) {
    value.what = LoopName{"__outermost", false};
    return expect("outermost") && expect("(") && expect(")");
  }
  const std::string_view end = at().is("{") ? "}" : ")";
  if (!accept("(") && !accept("{")) return fail(unexpected(at(), "'('"));
  LoopName loop{{}, reduction};
  if (!readName("the loop's name in quotes", loop.name)) return false;
  value.what = std::move(loop);
  return expect(end);
}

} // namespace

Result<WrittenSchedule> parseCpp(std::string_view text) {
  auto lexed = lexCpp(text);
  if (!lexed) return lexed.error();
  return CppParser(std::move(*lexed)).run();
}

} // namespace tessera::schedule

// SPDX-License-Identifier: MIT
#include "engine/schedule/text/cpp_text.h"

#include "engine/schedule/text/call_text.h"
#include "engine/report/promise.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace tessera::schedule {

namespace {

constexpr Dialect kCpp{"", "::", "in", "true", '{', '}', '{', '}'};

// Names that no variable may have: words of C++, names that the header itself uses, and macros of
// the standard headers or the compiler.
constexpr auto kReserved = std::to_array<std::string_view>({
    "alignas",
    "alignof",
    "and",
    "and_eq",
    "asm",
    "auto",
    "bitand",
    "bitor",
    "bool",
    "break",
    "case",
    "catch",
    "char",
    "char8_t",
    "char16_t",
    "char32_t",
    "class",
    "compl",
    "concept",
    "const",
    "consteval",
    "constexpr",
    "constinit",
    "const_cast",
    "continue",
    "co_await",
    "co_return",
    "co_yield",
    "decltype",
    "default",
    "delete",
    "do",
    "double",
    "dynamic_cast",
    "else",
    "enum",
    "explicit",
    "export",
    "extern",
    "false",
    "float",
    "for",
    "friend",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "not",
    "not_eq",
    "nullptr",
    "operator",
    "or",
    "or_eq",
    "private",
    "protected",
    "public",
    "register",
    "reinterpret_cast",
    "requires",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "static_assert",
    "static_cast",
    "struct",
    "switch",
    "template",
    "this",
    "thread_local",
    "throw",
    "true",
    "try",
    "typedef",
    "typeid",
    "typename",
    "typeof",
    "union",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "wchar_t",
    "while",
    "xor",
    "xor_eq",
    "Func",
    "Halide",
    "LoopLevel",
    "MemoryType",
    "RVar",
    "TailStrategy",
    "Var",
    "find",
    "funcs",
    "pipeline",
    "promised",
    "std",
    "target",
    "BUFSIZ",
    "CLOCKS_PER_SEC",
    "DOMAIN",
    "EDOM",
    "EOF",
    "ERANGE",
    "EXIT_FAILURE",
    "EXIT_SUCCESS",
    "FILENAME_MAX",
    "HUGE",
    "HUGE_VAL",
    "I",
    "INFINITY",
    "NAN",
    "NDEBUG",
    "NULL",
    "OVERFLOW",
    "RAND_MAX",
    "SEEK_CUR",
    "SEEK_END",
    "SEEK_SET",
    "SING",
    "TMP_MAX",
    "UNDERFLOW",
    "assert",
    "errno",
    "far",
    "i386",
    "interface",
    "linux",
    "major",
    "makedev",
    "max",
    "min",
    "minor",
    "near",
    "small",
    "stderr",
    "stdin",
    "stdout",
    "unix",
});

constexpr std::string_view kFetching =
    R"(    // Funcs by their exact names. An index would not do: it changes with wrappers and rfactor.
    const auto funcs = [&pipeline] {
        std::map<std::string, ::Halide::Internal::Function> all;
        for (const Func &output : pipeline.outputs()) {
            for (const auto &entry : ::Halide::Internal::find_transitive_calls(output.function())) {
                const auto added = all.insert(entry);
                _halide_user_assert(added.second || added.first->second.same_as(entry.second))
                    << "APPLY: two funcs of the pipeline are called '" << entry.first
                    << "', so that the schedule cannot tell them apart.\n";
            }
        }
        return all;
    }();
    const auto find = [&funcs](const std::string &name) {
        const auto at = funcs.find(name);
        _halide_user_assert(at != funcs.end())
            << "APPLY: the pipeline has no func called '" << name
            << "'. The schedule was made for another version of it.\n";
        return Func(at->second);
    };
)";

// Only the definitions of funcs refer to the inputs, so the exported code finds the inputs by
// searching these definitions. The code is one lambda, because the parser skips lambdas and reads
// the promises from the comment.
constexpr std::string_view kPromising =
    R"(    // What the caller promises of the buffers, as said above.
    const auto promised = [&pipeline] {
        std::multimap<std::string, ::Halide::Parameter> all;
        std::vector<::Halide::Internal::Function> outputs;
        for (const Func &output : pipeline.outputs()) {
            outputs.push_back(output.function());
            for (const ::Halide::Parameter &buffer : outputs.back().output_buffers()) {
                all.emplace(output.name(), buffer);
                if (buffer.name() != output.name()) all.emplace(buffer.name(), buffer);
            }
        }
        for (const auto &input : ::Halide::Internal::infer_arguments({}, outputs)) {
            if (input.param.defined()) all.emplace(input.arg.name, input.param);
        }
        const auto each = [&all](const std::string &name, const auto &promise) {
            _halide_user_assert(all.count(name) != 0)
                << "APPLY: the pipeline has no input or output called '" << name
                << "'. The schedule was made for another version of it.\n";
            const auto found = all.equal_range(name);
            for (auto at = found.first; at != found.second; ++at) promise(at->second);
        };
@CALLS@        return true;
    }();
    (void)promised;
)";

// A C++ string literal. An octal escape ends after three digits, whatever follows it.
std::string literal(std::string_view text) {
  std::string out = "\"";
  for (const char byte : text) {
    const auto code = static_cast<unsigned char>(byte);
    if (byte == '"' || byte == '\\') {
      out += '\\';
      out += byte;
    } else if (code >= 0x20 && code < 0x7f) {
      out += byte;
    } else {
      out += '\\';
      for (const int shift : {6, 3, 0})
        out += static_cast<char>('0' + ((code >> shift) & 7));
    }
  }
  return out + "\"";
}

std::string fetchText(const Handles &handles) {
  std::string out;
  for (const FuncHandle &func : handles.fetched())
    out += "    Func " + func.identifier + " = find(" + literal(func.name) + ");\n";
  return out.empty() ? out : out + "\n";
}

std::string loopsText(const Handles &handles) {
  std::string out;
  for (const bool reduction : {false, true}) {
    std::vector<std::string> declared;
    for (const LoopHandle &handle : handles.loops())
      if (handle.loop.reduction == reduction)
        declared.push_back(handle.identifier + "(" + literal(handle.loop.name) + ")");
    if (declared.empty()) continue;
    out += wrapped(reduction ? "    RVar " : "    Var ", declared, kTextWidth - 1) + ";\n";
  }
  return out.empty() ? out : out + "\n";
}

std::string statementText(std::span<const Directive> statement, const Handles &handles) {
  const Directive &first = statement.front();
  ChainFrame frame{"    ", "", "", "", ";", "//"};
  if (!first.makes.empty()) frame.before = "Func " + handles.func(first.makes) + " = ";
  const std::string text = chainText(statement, handles, kCpp, frame);
  const bool named = first.makes.empty() || handles.func(first.makes) == first.makes;
  return text + (named ? "" : "  // " + std::string(kNamedMark) + literal(first.makes)) + "\n";
}

std::string commentText(const TextHeader &header) {
  std::string out;
  for (const std::string &line : headerLines(header))
    out += "// " + line + "\n";
  return out;
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

std::string promiseText(const report::Promise &promise) {
  std::string calls;
  for (const std::string &call : report::halideCalls(promise))
    calls += "            buffer." + call + ";\n";
  return "        each(" + literal(promise.buffer) + ", [](::Halide::Parameter buffer) {\n" +
         calls + "        });\n";
}

std::string promisesText(const std::string &function,
                         const std::vector<report::Promise> &promises) {
  std::string calls;
  for (const report::Promise &promise : promises)
    calls += promiseText(promise);
  if (calls.empty()) return calls;
  return "\n" + filledIn(filledIn(std::string(kPromising), "APPLY", function), "@CALLS@", calls);
}

std::string bodyText(const std::string &function, std::span<const Directive> directives,
                     const Handles &handles, const std::vector<report::Promise> &promises) {
  std::string out = "    using ::Halide::Func;\n"
                    "    using ::Halide::LoopLevel;\n"
                    "    using ::Halide::MemoryType;\n"
                    "    using ::Halide::RVar;\n"
                    "    using ::Halide::TailStrategy;\n"
                    "    using ::Halide::Var;\n"
                    "    (void)target;\n";
  out += promisesText(function, promises);
  if (handles.fetched().empty()) return out + "    (void)pipeline;\n";
  out += "\n" + filledIn(std::string(kFetching), "APPLY", function) + "\n";
  out += fetchText(handles) + loopsText(handles);
  for (const auto statement : statements(directives))
    out += statementText(statement, handles);
  return out;
}

} // namespace

Result<std::string> cppText(const TextHeader &header, std::span<const Directive> directives) {
  const auto handles = Handles::of(directives, kReserved);
  if (!handles) return handles.error();
  const std::string name = asIdentifier(header.pipeline, 'p');
  const std::string function = "apply_schedule_" + name;
  const std::string guard = "TESSERA_" + upper(name) + "_SCHEDULE_H";
  const std::vector<report::Promise> promises = promisesOf(header);
  return "#ifndef " + guard + "\n#define " + guard + "\n\n" + commentText(header) +
         "\n#include \"Halide.h\"\n\n#include <map>\n#include <string>\n" +
         (promises.empty() ? "" : "#include <vector>\n") + "\ninline void " + function +
         "(::Halide::Pipeline pipeline, ::Halide::Target target) {\n" +
         bodyText(function, directives, *handles, promises) + "}\n\n#endif  // " + guard + "\n";
}

} // namespace tessera::schedule

// SPDX-License-Identifier: MIT
#include "engine/schedule/text/python_text.h"

#include "engine/schedule/text/call_text.h"
#include "engine/base/escape.h"
#include "engine/report/promise.h"

#include <array>
#include <cstdint>

namespace tessera::schedule {

namespace {

constexpr Dialect kPython{"hl.", ".", "in_", "True", '[', ']', '(', ')'};

// Names that no variable may have: words of Python, and names that the function itself uses.
constexpr auto kReserved = std::to_array<std::string_view>({
    "False",     "None",     "True",     "and",    "as",       "assert", "async",  "await",
    "break",     "class",    "continue", "def",    "del",      "elif",   "else",   "except",
    "finally",   "for",      "from",     "global", "if",       "import", "in",     "is",
    "lambda",    "nonlocal", "not",      "or",     "pass",     "raise",  "return", "try",
    "while",     "with",     "yield",    "find",   "func",     "funcs",  "hl",     "index",
    "itertools", "name",     "pipeline", "inputs", "promised",
});

constexpr std::string_view kFetching =
    R"(    # Funcs by their exact names. An index would not do: it changes with wrappers and rfactor.
    funcs = {}
    for index in itertools.count():
        try:
            func = pipeline.get_func(index)
        except hl.HalideError:
            break  # that was the last one
        if func.name() in funcs:
            raise ValueError(f"APPLY: two funcs of the pipeline are called '{func.name()}', "
                             "so that the schedule cannot tell them apart.")
        funcs[func.name()] = func

    def find(name):
        if name not in funcs:
            raise ValueError(f"APPLY: the pipeline has no func called '{name}'. "
                             "The schedule was made for another version of it.")
        return funcs[name]

)";

// In Python, a pipeline knows its outputs, but not its inputs.
constexpr std::string_view kPromising =
    R"(    # What the caller promises of the buffers, as said above.
    def promised(name):
        found = [given for given in inputs if given.name() == name]
        for func in pipeline.outputs():
            found += [buffer for buffer in func.output_buffers() if name in (func.name(), buffer.name())]
        if not found:
            raise ValueError(f"APPLY: the schedule promises something of '{name}', which is no output of "
                             "the pipeline: pass the inputs too, as in APPLY(pipeline, [image_param, ...]).")
        return [one if isinstance(one, hl.Parameter) else one.parameter() for one in found]

)";

std::string literal(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '\\';
    out += c == '\\' ? std::string("\\\\") : escaped(std::string_view(&c, 1));
  }
  return out + "\"";
}

// How many bytes follow the first byte of a UTF-8 character; -1 if no character can begin with it.
int following(unsigned char first) {
  if (first < 0x80) return 0;
  if (first >= 0xc2 && first < 0xe0) return 1;
  if (first >= 0xe0 && first < 0xf0) return 2;
  return first >= 0xf0 && first < 0xf5 ? 3 : -1;
}

bool isUtf8(std::string_view text) {
  constexpr std::array<std::uint32_t, 4> kSmallest{0, 0x80, 0x800, 0x10000};
  for (std::size_t i = 0; i < text.size();) {
    const auto first = static_cast<unsigned char>(text[i++]);
    const int more = following(first);
    if (more < 0 || i + static_cast<std::size_t>(more) > text.size()) return false;
    std::uint32_t code = more == 0 ? first : first & (0x3fu >> more);
    for (int n = 0; n < more; ++n) {
      const auto next = static_cast<unsigned char>(text[i++]);
      if ((next & 0xc0) != 0x80) return false;
      code = code << 6 | (next & 0x3f);
    }
    const bool surrogate = code >= 0xd800 && code < 0xe000;
    if (code < kSmallest[static_cast<std::size_t>(more)] || code > 0x10ffff || surrogate)
      return false;
  }
  return true;
}

std::string handlesText(const Handles &handles) {
  std::string out;
  for (const FuncHandle &func : handles.fetched())
    out += "    " + func.identifier + " = find(" + literal(func.name) + ")\n";
  if (!handles.loops().empty()) out += "\n";
  for (const LoopHandle &handle : handles.loops())
    out += "    " + handle.identifier + " = hl." + (handle.loop.reduction ? "RVar(" : "Var(") +
           literal(handle.loop.name) + ")\n";
  return out + "\n";
}

std::string statementText(std::span<const Directive> statement, const Handles &handles) {
  const Directive &first = statement.front();
  ChainFrame frame{"    ", "", "(", ")", "", "#"};
  if (!first.makes.empty()) frame.before = handles.func(first.makes) + " = ";
  return chainText(statement, handles, kPython, frame) + "\n";
}

std::string promisesText(const std::string &function,
                         const std::vector<report::Promise> &promises) {
  if (promises.empty()) return {};
  std::string out = filledIn(std::string(kPromising), "APPLY", function);
  for (const report::Promise &promise : promises) {
    out += "    for buffer in promised(" + literal(promise.buffer) + "):\n";
    for (const std::string &call : report::halideCalls(promise))
      out += "        buffer." + call + "\n";
  }
  return out + "\n";
}

} // namespace

Result<std::string> pythonText(const TextHeader &header, std::span<const Directive> directives) {
  const auto handles = Handles::of(directives, kReserved);
  if (!handles) return handles.error();
  std::string out;
  for (const std::string &line : headerLines(header))
    out += "# " + line + "\n";
  const std::string function = "apply_schedule_" + asIdentifier(header.pipeline, 'p');
  const std::vector<report::Promise> promises = promisesOf(header);
  out += "import itertools\n\nimport halide as hl\n\n\ndef " + function + "(pipeline" +
         (promises.empty() ? "" : ", inputs=()") + "):\n" + promisesText(function, promises);
  if (directives.empty() && promises.empty())
    out += "    pass\n";
  else if (!directives.empty())
    out += filledIn(std::string(kFetching), "APPLY", function) + handlesText(*handles);
  for (const auto statement : statements(directives))
    out += statementText(statement, *handles);
  if (!isUtf8(out))
    return Error{ErrorCode::InputRefused,
                 "a name or a remark of the schedule is not UTF-8, and Python text must be UTF-8",
                 "Export to C++ or JSON instead."};
  return out;
}

} // namespace tessera::schedule

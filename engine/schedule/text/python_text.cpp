// SPDX-License-Identifier: MIT
#include "engine/schedule/text/python_text.h"

#include "engine/schedule/text/call_text.h"
#include "engine/base/escape.h"
#include "engine/report/promise.h"

#include <array>
#include <cstdint>

namespace tessera::schedule {

namespace {

// Names that no variable may have: words of Python, and names that the function itself uses, also
// within its own functions.
constexpr auto kPythonReserved = std::to_array<std::string_view>({
    "False",  "None",    "True",      "ValueError", "and",       "as",       "assert",   "async",
    "await",  "break",   "class",     "continue",   "def",       "del",      "elif",     "else",
    "except", "finally", "for",       "from",       "global",    "if",       "import",   "in",
    "is",     "lambda",  "nonlocal",  "not",        "or",        "pass",     "raise",    "return",
    "try",    "while",   "with",      "yield",      "enumerate", "find",     "funcs",    "hl",
    "inputs", "int",     "itertools", "isinstance", "len",       "pipeline", "promised", "range",
    "re",     "size",    "sorted",
});

// The names without numbers are those of lasting_names.h.
constexpr std::string_view kPythonFetching =
    R"(    # Halide tells equal names apart by numbers ("blur$3"), which differ from build to build. So the
    # funcs are found by their names without numbers. Those of one name keep their order.
    def named_funcs():
        known = {}
        for index in itertools.count():
            try:
                func = pipeline.get_func(index)
            except hl.HalideError:
                break  # that was the last one
            if func.name() in known:
                raise ValueError(f"APPLY: two funcs of the pipeline are called '{func.name()}', "
                                 "so that the schedule cannot tell them apart.")
            known[func.name()] = func
        # Halide counts names in the process, without those of a pipeline from a file. What the schedule
        # makes would be called like what is there.
        for full in known:
            name = re.fullmatch(r"(.*?)(?:\$(\d+))?", full, re.DOTALL)
            for _ in range(int(name[2] or 0) + 1):
                hl.Func(name[1])
        named = {}
        for full, func in known.items():
            all_words, words, numbers = full.split("_"), [], []
            for at, word in enumerate(all_words):
                # "lambda_7", or "f_1_intm$1" for the second "f$1_intm".
                owners = ["_".join(all_words[first:at]) + "$" + word for first in range(at)]
                is_owned = re.search(r"\$\d+$", full) and not known.keys().isdisjoint(owners)
                if at > 0 and re.fullmatch(r"\d+", word) and (words[-1] == "lambda" or is_owned):
                    numbers[-1] = int(word)
                elif word in known and re.fullmatch(r"[a-z]\d+", word):
                    words.append(word[0] + "#")
                    numbers.append(int(word[1:]))
                else:
                    parts = re.fullmatch(r"(.*?)(?:\$(\d+))?", word, re.DOTALL)
                    words.append(parts[1])
                    numbers.append(int(parts[2] or 0))
            named.setdefault("_".join(words), []).append((numbers, full, func))
        return {name: [func for _, _, func in sorted(alike)] for name, alike in named.items()}

    funcs = named_funcs()

    def find(name, which=1, of=1, dimensions=-1, updates=-1):
        alike = funcs.get(name, [])
        if not alike:
            raise ValueError(f"APPLY: the pipeline has no func called '{name}'. "
                             "The schedule was made for another version of it.")
        if len(alike) != of:
            raise ValueError(f"APPLY: the pipeline has {len(alike)} funcs called '{name}', and the "
                             f"schedule is for {of}. It was made for another version of it.")
        func = alike[which - 1]
        if (dimensions not in (-1, func.dimensions())
                or updates not in (-1, func.num_update_definitions())):
            raise ValueError(f"APPLY: the funcs called '{name}' stand in another order than those that "
                             "the schedule was made for.")
        return func

)";

// In Python, a pipeline knows its outputs, but not its inputs.
constexpr std::string_view kPythonPromising =
    R"(    # What the caller promises of the buffers, as said above.
    def promised(name):
        found = [given for given in inputs if given.name() == name]
        for func in pipeline.outputs():
            # The number in "output$1" differs from build to build.
            output = re.sub(r"\$\d+$", "", func.name())
            found += [buffer for buffer in func.output_buffers()
                      if name in (output, output + buffer.name()[len(func.name()):])]
        if not found:
            raise ValueError(f"APPLY: the schedule promises something of '{name}', which is no output of "
                             "the pipeline: pass the inputs too, as in APPLY(pipeline, [image_param, ...]).")
        return [one if isinstance(one, hl.Parameter) else one.parameter() for one in found]

)";

// A size can only be asked of the object that has it.
constexpr std::string_view kPythonSizing =
    R"(    # A size of an input or output, by Halide's name of it: "input.extent.0".
    def size(name):
        buffer, *of = name.rsplit(".", 2)
        found = [given for given in inputs if given.name() == buffer]
        for func in pipeline.outputs():
            # The number in "output$1" differs from build to build.
            output = re.sub(r"\$\d+$", "", func.name())
            found += [one for one in func.output_buffers()
                      if buffer in (output, output + one.name()[len(func.name()):])]
        if not found:
            raise ValueError(f"APPLY: the schedule depends on '{name}', which is no output of the "
                             "pipeline: pass the inputs too, as in APPLY(pipeline, [image_param, ...]).")
        one = found[0]
        if not of:
            return hl.Param(one.type(), one.name()) if isinstance(one, hl.Parameter) else one
        if isinstance(one, hl.Parameter):
            one = hl.ImageParam(one.type(), one.dimensions(), one.name())
        return getattr(one.dim(int(of[1])), of[0])()

)";

std::string pythonLiteral(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '\\';
    out += c == '\\' ? std::string("\\\\") : escaped(std::string_view(&c, 1));
  }
  return out + "\"";
}

constexpr Dialect kPython{"hl.",
                          ".",
                          "in_",
                          "async_",
                          "True",
                          '[',
                          ']',
                          '(',
                          ')',
                          pythonLiteral,
                          {.divide = "//",
                           .both = " & ",
                           .either = " | ",
                           .no = "",
                           .noBehind = ".logical_not()",
                           .prefix = "hl.",
                           .wrapsComparisons = true},
                          true};

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

std::string handlesText(const Handles &handles, const FoundNames &names) {
  std::string out;
  for (const FuncHandle &func : handles.fetched())
    out +=
        "    " + func.identifier + " = find(" + whichText(func.name, names, pythonLiteral) + ")\n";
  if (!handles.loops().empty()) out += "\n";
  for (const LoopHandle &handle : handles.loops()) {
    std::string loop = placeText(handle.loop, names, handles);
    if (loop.empty())
      loop =
          (handle.loop.reduction ? "hl.RVar(" : "hl.Var(") + pythonLiteral(handle.loop.name) + ")";
    out += "    " + handle.identifier + " = " + loop + "\n";
  }
  return out + "\n";
}

std::string pythonStatement(std::span<const Directive> statement, std::span<const Directive> all,
                            const Handles &handles) {
  const Directive &first = statement.front();
  ChainFrame frame{"    ", "", "(", ")", "", "#"};
  if (!first.makes.empty()) frame.before = handles.func(first.makes) + " = ";
  return chainText(statement, all, handles, kPython, frame) + "\n";
}

std::string pythonPromises(const std::string &function,
                           const std::vector<report::Promise> &promises) {
  if (promises.empty()) return {};
  std::string out = filledIn(std::string(kPythonPromising), "APPLY", function);
  for (const report::Promise &promise : promises) {
    out += "    for buffer in promised(" + pythonLiteral(promise.buffer) + "):\n";
    for (const std::string &call : report::halideCalls(promise))
      out += "        buffer." + call + "\n";
  }
  return out + "\n";
}

} // namespace

Result<std::string> pythonText(const WrittenSchedule &written) {
  const auto handles = Handles::of(written.directives, kPythonReserved, written.names);
  if (!handles) return handles.error();
  std::string out;
  for (const std::string &line : headerLines(written.header))
    out += "# " + line + "\n";
  const std::string function = "apply_schedule_" + asIdentifier(written.header.pipeline, 'p');
  const std::vector<report::Promise> promises = promisesOf(written.header);
  const bool hasSizes = usesSizes(written.directives);
  out += "import itertools\nimport re\n\nimport halide as hl\n\n\ndef " + function + "(pipeline" +
         (promises.empty() && !hasSizes ? "" : ", inputs=()") + "):\n" +
         pythonPromises(function, promises);
  if (hasSizes) out += filledIn(std::string(kPythonSizing), "APPLY", function);
  if (written.directives.empty() && promises.empty())
    out += "    pass\n";
  else if (!written.directives.empty())
    out += filledIn(std::string(kPythonFetching), "APPLY", function) +
           handlesText(*handles, written.names);
  for (const auto statement : statements(written.directives))
    out += pythonStatement(statement, written.directives, *handles);
  if (!isUtf8(out))
    return Error{ErrorCode::InputRefused,
                 "a name or a remark of the schedule is not UTF-8, and Python text must be UTF-8",
                 "Export to C++ or JSON instead."};
  return out;
}

} // namespace tessera::schedule

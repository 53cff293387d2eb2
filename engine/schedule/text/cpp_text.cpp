// SPDX-License-Identifier: MIT
#include "engine/schedule/text/cpp_text.h"

#include "engine/schedule/text/call_text.h"
#include "engine/report/promise.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace tessera::schedule {

namespace {

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
    "reaches",
    "size",
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

// The names without numbers are those of lasting_names.h. An index of a func would not do: it
// changes with wrappers and rfactor.
constexpr std::string_view kFetching =
    R"(    // Halide tells equal names apart by numbers ("blur$3"), which differ from build to build. So the
    // funcs are found by their names without numbers. Those of one name keep their order.
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
        const auto number = [](const std::string &text, std::size_t from) {
            const bool digits = text.find_first_not_of("0123456789", from) == std::string::npos;
            return digits && from < text.size() ? text.substr(from) : std::string();
        };
        const auto behindDollar = [&number](const std::string &text) {
            const std::size_t dollar = text.rfind('$');
            return dollar == std::string::npos ? std::string() : number(text, dollar + 1);
        };
        const auto endsWithFunc = [&all](std::string name) {
            while (all.count(name) == 0) {
                const std::size_t next = name.find('_');
                if (next == std::string::npos) return false;
                name.erase(0, next + 1);
            }
            return true;
        };
        using Numbers = std::vector<std::pair<std::size_t, std::string>>;  // each with its length
        std::map<std::string, std::map<Numbers, ::Halide::Internal::Function>> named;
        for (const auto &entry : all) {
            const std::string &full = entry.first;
            std::string name, last;
            Numbers numbers;
            for (std::size_t from = 0, to = 0; to < full.size(); from = to + 1) {
                to = std::min(full.find('_', from), full.size());
                std::string word = full.substr(from, to - from), digits = behindDollar(word);
                // "lambda_7", or "f_1_intm$1" for the second "f$1_intm".
                const bool numbersLast = from > 0 && !number(word, 0).empty() &&
                    (last == "lambda" || (!behindDollar(full).empty() &&
                                          endsWithFunc(full.substr(0, from - 1) + "$" + word)));
                if (numbersLast) {
                    numbers.back() = {word.size(), word};
                    continue;
                }
                if (!digits.empty()) {
                    word.resize(word.size() - digits.size() - 1);
                } else if (word[0] >= 'a' && word[0] <= 'z' && all.count(word) != 0) {
                    digits = number(word, 1);
                    if (!digits.empty()) word = word.substr(0, 1) + "#";
                }
                name += (numbers.empty() ? "" : "_") + word;
                numbers.emplace_back(digits.size(), digits);
                last = word;
            }
            named[name].emplace(numbers, entry.second);
        }
        return named;
    }();
    // Whether a func needs another one, itself or through others.
    const auto reaches = [&funcs](const ::Halide::Internal::Function &func, const std::string &other) {
        const auto calls = ::Halide::Internal::find_transitive_calls(func);
        const auto named = funcs.find(other);
        return named != funcs.end() && calls.count(named->second.begin()->second.name()) != 0;
    };
    // The first, second ... func of this name, how many funcs have it, the dimensions and updates of
    // this one, and another func that it needs, which not all of its name do.
    const auto find = [&funcs, &reaches](const std::string &name, int which = 1, std::size_t of = 1,
                                         int dimensions = -1, int updates = -1,
                                         const std::string &needs = "") {
        const auto alike = funcs.find(name);
        _halide_user_assert(alike != funcs.end())
            << "APPLY: the pipeline has no func called '" << name
            << "'. The schedule was made for another version of it.\n";
        _halide_user_assert(alike->second.size() == of)
            << "APPLY: the pipeline has " << alike->second.size() << " funcs called '" << name
            << "', and the schedule is for " << of << ". It was made for another version of it.\n";
        auto func = alike->second.begin();
        std::advance(func, which - 1);
        const Func found(func->second);
        _halide_user_assert((dimensions < 0 || found.dimensions() == dimensions) &&
                            (updates < 0 || found.num_update_definitions() == updates) &&
                            (needs.empty() || reaches(func->second, needs)))
            << "APPLY: the funcs called '" << name << "' stand in another order than those that the "
            << "schedule was made for, as with another compiler. Give them names, or export the "
            << "schedule again.\n";
        return found;
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
            // The number in "output$1" differs from build to build.
            const std::size_t dollar = std::min(output.name().rfind('$'), output.name().size());
            const std::string number = output.name().substr(dollar);
            const bool numbered = number.find_first_not_of("$0123456789") == std::string::npos;
            const std::string name = numbered ? output.name().substr(0, dollar) : output.name();
            for (const ::Halide::Parameter &buffer : outputs.back().output_buffers()) {
                all.emplace(name, buffer);
                if (buffer.name() != output.name())
                    all.emplace(name + buffer.name().substr(output.name().size()), buffer);
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

// specialize() takes no variable but a size of a buffer that it knows, so the buffers are looked
// for.
constexpr std::string_view kSizing =
    R"(    // A size of an input or output, by Halide's name of it: "input.extent.0".
    const auto size = [&pipeline](const std::string &name) -> ::Halide::Expr {
        using ::Halide::Internal::Variable;
        const auto isOf = [&name](const std::string &buffer) {
            return name.compare(0, buffer.size() + 1, buffer + ".") == 0;
        };
        std::vector<::Halide::Internal::Function> outputs;
        for (const Func &output : pipeline.outputs()) {
            outputs.push_back(output.function());
            // The number in "output$1" differs from build to build.
            const std::size_t dollar = std::min(output.name().rfind('$'), output.name().size());
            const std::string number = output.name().substr(dollar);
            const bool numbered = number.find_first_not_of("$0123456789") == std::string::npos;
            const std::string lasting = numbered ? output.name().substr(0, dollar) : output.name();
            for (const ::Halide::Parameter &buffer : outputs.back().output_buffers()) {
                const std::string known = lasting + buffer.name().substr(output.name().size());
                if (isOf(known)) {
                    return Variable::make(::Halide::Int(32), buffer.name() + name.substr(known.size()),
                                          buffer);
                }
            }
        }
        for (const auto &input : ::Halide::Internal::infer_arguments({}, outputs)) {
            if (input.param.defined() &&
                (input.param.is_buffer() ? isOf(input.arg.name) : name == input.arg.name)) {
                return Variable::make(::Halide::Int(32), name, input.param);
            }
        }
        _halide_user_assert(false) << "APPLY: the pipeline has no size called '" << name
                                   << "'. The schedule was made for another version of it.\n";
        return ::Halide::Expr();
    };
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

constexpr Dialect kCpp{
    "", "::", "in", "async", "true", '{', '}', '{', '}', literal, {.prefix = "::Halide::"}};

// Behind whichText(). Python knows no func that another one needs.
std::string needsText(const std::string &func, const FoundNames &names) {
  const auto at = names.funcs.find(func);
  const bool isTold = at != names.funcs.end() && at->second.shape && !at->second.needs.empty();
  return isTold ? ", " + literal(at->second.needs) : "";
}

std::string fetchText(const Handles &handles, const FoundNames &names) {
  std::string out;
  for (const FuncHandle &func : handles.fetched())
    out += "    Func " + func.identifier + " = find(" + whichText(func.name, names, literal) +
           needsText(func.name, names) + ");\n";
  return out.empty() ? out : out + "\n";
}

// The comment behind a variable that is not called like what it holds.
std::string namedText(const std::string &identifier, const std::string &name) {
  return identifier == name ? "" : "  // " + std::string(kNamedMark) + literal(name);
}

std::string loopsText(const Handles &handles, const FoundNames &names) {
  std::string out;
  for (const bool reduction : {false, true}) {
    const std::string type = reduction ? "    RVar " : "    Var ";
    std::vector<std::string> declared;
    std::string found;
    for (const LoopHandle &handle : handles.loops()) {
      if (handle.loop.reduction != reduction) continue;
      if (const std::string place = placeText(handle.loop, names, handles); !place.empty())
        found += type + handle.identifier + " = " + place + ";" +
                 namedText(handle.identifier, handle.loop.name) + "\n";
      else
        declared.push_back(handle.identifier + "(" + literal(handle.loop.name) + ")");
    }
    if (!declared.empty()) out += wrapped(type, declared, kTextWidth - 1) + ";\n";
    out += found;
  }
  return out.empty() ? out : out + "\n";
}

std::string statementText(std::span<const Directive> statement, std::span<const Directive> all,
                          const Handles &handles) {
  const Directive &first = statement.front();
  ChainFrame frame{"    ", "", "", "", ";", "//"};
  if (!first.makes.empty()) frame.before = "Func " + handles.func(first.makes) + " = ";
  const std::string text = chainText(statement, all, handles, kCpp, frame);
  return text + (first.makes.empty() ? "" : namedText(handles.func(first.makes), first.makes)) +
         "\n";
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

std::string bodyText(const std::string &function, const WrittenSchedule &written,
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
  if (usesSizes(written.directives))
    out += filledIn(std::string(kSizing), "APPLY", function) + "\n";
  out += fetchText(handles, written.names) + loopsText(handles, written.names);
  for (const auto statement : statements(written.directives))
    out += statementText(statement, written.directives, handles);
  return out;
}

} // namespace

Result<std::string> cppText(const WrittenSchedule &written) {
  const auto handles = Handles::of(written.directives, kReserved, written.names);
  if (!handles) return handles.error();
  const std::string name = asIdentifier(written.header.pipeline, 'p');
  const std::string function = "apply_schedule_" + name;
  const std::string guard = "TESSERA_" + upper(name) + "_SCHEDULE_H";
  const std::vector<report::Promise> promises = promisesOf(written.header);
  return "#ifndef " + guard + "\n#define " + guard + "\n\n" + commentText(written.header) +
         "\n#include \"Halide.h\"\n\n#include <algorithm>\n#include <iterator>\n#include <map>\n"
         "#include <string>\n#include <utility>\n#include <vector>\n\ninline void " +
         function + "(::Halide::Pipeline pipeline, ::Halide::Target target) {\n" +
         bodyText(function, written, *handles, promises) + "}\n\n#endif  // " + guard + "\n";
}

} // namespace tessera::schedule

// SPDX-License-Identifier: MIT
// damaged_texts [--count N] [--seed N] [--first N]: gives damaged texts to each parser in turn
// (kParsers, below). A text must be read, or refused at once with a printable message. A text that
// is read must print, and read again as the same.
#include "engine/report/compile_report.h"
#include "engine/report/verify_report.h"
#include "engine/schedule/directives/lower.h"
#include "engine/schedule/text/cpp_parser.h"
#include "engine/schedule/text/schedule_json.h"
#include "engine/schedule/text/schedule_text.h"
#include "engine/schedule/words/directive_json.h"
#include "tests/campaigns/frames/campaign.h"
#include "tests/engine/schedule/random_directives.h"
#include "tests/engine/schedule/scheduled.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <functional>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace tessera;
using namespace tessera::report;
using namespace tessera::schedule;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kSlow{2};

// Pieces that have a meaning for one of the parsers.
constexpr auto kPieces = std::to_array<const char *>({"{",
                                                      "}",
                                                      "(",
                                                      ")",
                                                      "[",
                                                      "]",
                                                      ";",
                                                      ",",
                                                      ".",
                                                      "::",
                                                      "\"",
                                                      "'",
                                                      "\\",
                                                      "/*",
                                                      "*/",
                                                      "//",
                                                      "#",
                                                      "\n",
                                                      "Func ",
                                                      "Var ",
                                                      "RVar ",
                                                      "auto ",
                                                      "Func(",
                                                      "find(\"f\")",
                                                      "f",
                                                      ".in()",
                                                      ".in(f)",
                                                      "f.in(",
                                                      ".update()",
                                                      ".update(1)",
                                                      ".split(x, x, x, 4)",
                                                      ".tile({x},{x},{4})",
                                                      ".vectorize(x, 4)",
                                                      "LoopLevel(",
                                                      "TailStrategy::",
                                                      "MemoryType::Heap",
                                                      "Halide::",
                                                      "const ",
                                                      "using ",
                                                      "-",
                                                      "0x",
                                                      "9999999999999999999",
                                                      "1'0",
                                                      "true",
                                                      "= [",
                                                      "apply_schedule_x(",
                                                      "// named \"f\"\n",
                                                      "// of update(1)\n",
                                                      "// registers: x\n",
                                                      "{\"loop\":",
                                                      "{\"func\":\"f\"",
                                                      ":",
                                                      "null",
                                                      "1e400",
                                                      "\"call\":\"in\"",
                                                      "\"stage\":-1",
                                                      "\xff",
                                                      "\x01"});

std::size_t below(std::mt19937_64 &random, std::size_t n) { return n == 0 ? 0 : random() % n; }

std::string piece(std::mt19937_64 &random) { return kPieces[below(random, kPieces.size())]; }

// Damages the text once: flips a bit, removes or repeats a stretch, cuts off the end, inserts a
// piece (once or many times), or replaces a stretch by a piece.
void damage(std::string &text, std::mt19937_64 &random) {
  const std::size_t at = below(random, text.size() + 1);
  const std::size_t length = std::min(below(random, 80), text.size() - at);
  switch (below(random, 7)) {
  case 0:
    if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << below(random, 8)));
    break;
  case 1:
    text.erase(at, length);
    break;
  case 2:
    text.insert(below(random, text.size() + 1), text.substr(at, length));
    break;
  case 3:
    text.insert(at, piece(random));
    break;
  case 4:
    text.replace(at, length, piece(random));
    break;
  case 5:
    text.resize(at);
    break;
  default: { // the same piece many times, nested or in a row
    std::string many;
    const std::string one = piece(random) + (below(random, 2) ? piece(random) : "");
    const std::size_t size = std::size_t{1} << below(random, 15);
    while (many.size() < size)
      many += one;
    text.insert(at, many);
  }
  }
}

// Damages a JSON value once, so that it stays valid JSON: replaces or removes one value in it.
void damage(nlohmann::json &value, std::mt19937_64 &random) {
  static const auto kValues = nlohmann::json::parse(
      R"([null, true, -1, 0, 3.5, 4294967296, 18446744073709551615, "", "f", "split", [], {},
          {"loop": "x"}, {"loop": "x", "reduction": 1}, {"func": "f"}, {"tail": "none"},
          {"func": "f", "stage": 2, "loop": "x"}, {"storage": "shared"}, [[[[]]]]])");
  if (!value.empty() && value.is_structured() && below(random, 4) != 0) {
    auto item = value.begin();
    std::advance(item, below(random, value.size()));
    if (below(random, 8) == 0)
      value.erase(item);
    else
      damage(*item, random);
    return;
  }
  value = kValues[below(random, kValues.size())];
}

bool isPrintable(const std::string &text) {
  const auto isControl = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
  if (text.empty() || std::any_of(text.begin(), text.end(), isControl)) return false;
  // The dump replaces each byte that is not UTF-8, so the text would differ.
  const auto shown =
      nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return nlohmann::json::parse(shown) == text;
}

// Returns what is wrong with the parser's answer, or nothing.
std::string problemWithCpp(const std::string &text, bool &accepted) {
  const auto read = parseCpp(text);
  accepted = read.ok();
  if (!read) {
    const std::string &message = read.error().message;
    if (!isPrintable(message)) return "the message cannot be printed";
    return message.starts_with("line ") ? "" : "no place: " + message;
  }
  const auto printed = cppText(*read);
  if (!printed) return "was read but cannot be printed: " + printed.error().message;
  const auto again = parseCpp(*printed);
  if (!again) return "was printed but cannot be read: " + again.error().message;
  return again->directives == read->directives && again->header == read->header
             ? ""
             : "is another after printing";
}

// Reads a document, prints it, and reads it again.
template <typename Read>
std::string problemWithJson(const std::string &text, bool &accepted, Read read) {
  const auto document = nlohmann::json::parse(text, nullptr, false);
  accepted = false;
  if (document.is_discarded()) return {};
  const auto value = read(document);
  accepted = value.ok();
  if (!value) return value.error().message.empty() ? "no message" : "";
  const auto again = read(nlohmann::json::parse(toJson(*value).dump()));
  if (!again) return "was printed but cannot be read: " + again.error().message;
  return *again == *value ? ""
                          : "is another after printing: " + text + " / " + toJson(*value).dump();
}

std::string problemWithDirectives(const std::string &text, bool &accepted) {
  if (const auto document = nlohmann::json::parse(text, nullptr, false); !document.is_discarded())
    if (const auto read = directivesFromJson(document))
      for (const Directive &directive : *read)
        if (std::string problem = problemWith(directive); !problem.empty()) return problem;
  return problemWithJson(text, accepted, directivesFromJson);
}

std::string problemWithBundle(const std::string &text, bool &accepted) {
  return problemWithJson(text, accepted, report::compileReportFromJson);
}

std::string problemWithVerdict(const std::string &text, bool &accepted) {
  return problemWithJson(text, accepted, report::verifyReportFromJson);
}

// A schedule with many features: a fused func, an update, a promise about a buffer, and marks.
const Schedule &example() {
  static const Schedule kSchedule = [] {
    Schedule schedule = testing::scheduled(
        "input in 66 66\n"
        "func f(x y) 66 64 = in(x; y+[0,2])\n"
        "func h(x) 64 = f(x; 0)\n"
        "update h(x) r:0:64 = h(x) in(x; r)\n"
        "func g(x y) 64 64 = f(x+[0,2]; y) h(x)\n"
        "output g\n",
        "h compute_root | gpu_threads x\nh.1 split ~r ~ro ~ri 8 auto | gpu_threads x\n"
        "f compute_at g:xo | store_in shared | gpu_threads x y\n"
        "g split x xo xi 8 guard_with_if | reorder xi y xo | gpu_blocks xo | gpu_threads xi");
    schedule.set(Settings{
        128,
        {{.buffer = "in", .dim = 1, .min = 0, .extent = 66, .stride = 66, .hostAlignment = 16}}});
    schedule.setMark({{}, 0, DecisionKind::RegisterCap, 0}, {Origin::Imported, false});
    schedule.setMark({pipeline::FuncId{1}, 0, DecisionKind::Factors, 1}, {Origin::User, true});
    return schedule;
  }();
  return kSchedule;
}

std::string problemWithScheduleJson(const std::string &text, bool &accepted) {
  return problemWithJson(text, accepted, [](const nlohmann::json &document) {
    return scheduleFromJson(example().base(), document);
  });
}

std::string problemWithScheduleCpp(const std::string &text, bool &accepted) {
  const auto read = scheduleFromCpp(example().base(), text);
  accepted = read.ok();
  if (!read)
    return isPrintable(read.error().message)
               ? ""
               : "the message cannot be printed: " +
                     nlohmann::json(read.error().message)
                         .dump(-1, 0x20, true, nlohmann::json::error_handler_t::replace);
  const auto printed = cppText(writtenForm(*read));
  if (!printed) return "was read but cannot be printed: " + printed.error().message;
  const auto again = scheduleFromCpp(example().base(), *printed);
  if (!again) return "was printed but cannot be read: " + again.error().message;
  return *again == *read ? "" : "is another after printing";
}

CompileReport exampleReport(std::mt19937_64 &random) {
  KernelReport kernel;
  kernel.name = "k0_g_s0";
  kernel.stages = {{"g", 0}, {"h", 1}};
  kernel.operations = {{pipeline::OpKind::Add, {pipeline::TypeKind::Float, 32}, 1e9}};
  if (below(random, 2)) kernel.assembler = AssemblerReport{64, 8, 16, 24};
  kernel.sassLineCount = static_cast<std::uint32_t>(below(random, 2));
  CompileReport report;
  report.pipeline = "g";
  report.arguments = {{"in", PipelineArgument::Kind::Input, {}, {{-3, 2561}, {0, 9}}, ""},
                      {"alpha", PipelineArgument::Kind::Scalar, {}, {}, "0.25"}};
  report.kernels = {kernel, KernelReport{}};
  report.allocations = {{"h", 1024, 3}};
  report.loweredLines = {{3, 7, {"h", 1}}};
  report.directives = randomDirectives([&](std::size_t n) { return below(random, n); }, 2);
  report.files = {"pipeline.o", "pipeline.so", "kernels.ptx", "lowered.txt", ""};
  report.remarks = {"one"};
  return report;
}

VerifyReport exampleVerdict(std::mt19937_64 &random) {
  OutputComparison output;
  output.name = "g";
  output.elements = 4096;
  output.different = static_cast<std::int64_t>(below(random, 2));
  output.worstAt = {3, 4};
  output.expected = "1";
  return {{output, output}, {"a remark"}};
}

std::string originalDirectives(std::mt19937_64 &random) {
  const auto directives =
      randomDirectives([&](std::size_t n) { return below(random, n); }, below(random, 12));
  return toJson(directives).dump(below(random, 2) ? 1 : -1);
}

std::string originalCpp(std::mt19937_64 &random) {
  const Pick pick = [&random](std::size_t n) { return below(random, n); };
  const auto directives = randomDirectives(pick, below(random, 12));
  const auto text = cppText({randomHeader(pick), directives});
  return text ? *text : std::string();
}

struct Parser {
  const char *name;
  bool json;
  std::function<std::string(std::mt19937_64 &)> original;
  // Returns what is wrong with the parser's answer, or nothing.
  std::string (*problem)(const std::string &text, bool &accepted);
};

const std::vector<Parser> &parsers() {
  static const std::vector<Parser> kParsers{
      {"C++", false, originalCpp, problemWithCpp},
      {"directives", true, originalDirectives, problemWithDirectives},
      {"schedule, JSON", true, [](auto &) { return toJson(example()).dump(); },
       problemWithScheduleJson},
      {"schedule, C++", false, [](auto &) { return *cppText(writtenForm(example())); },
       problemWithScheduleCpp},
      {"bundle", true, [](auto &random) { return toJson(exampleReport(random)).dump(); },
       problemWithBundle},
      {"verdict", true, [](auto &random) { return toJson(exampleVerdict(random)).dump(); },
       problemWithVerdict}};
  return kParsers;
}

} // namespace

int main(int argc, char **argv) {
  const test::Campaign campaign = test::campaignFromArguments(argc, argv, 600'000);
  std::uint64_t failures = 0;
  std::map<std::string, std::uint64_t> answers;
  Clock::duration slowest{};
  for (std::uint64_t i = campaign.first; i < campaign.first + campaign.count; ++i) {
    std::mt19937_64 random = campaign.random(i);
    const Parser &parser = parsers()[i % parsers().size()];
    std::string text = parser.original(random);
    std::size_t wounds = 1 + below(random, 3);
    if (parser.json && below(random, 2)) {
      auto document = nlohmann::json::parse(text);
      for (; wounds > 0; --wounds)
        damage(document, random);
      text = document.dump();
    }
    for (; wounds > 0; --wounds)
      damage(text, random);
    bool accepted = false;
    const auto begin = Clock::now();
    std::string problem = parser.problem(text, accepted);
    const auto time = Clock::now() - begin;
    slowest = std::max(slowest, time);
    if (problem.empty() && time > kSlow) problem = "took longer than 2 s";
    ++answers[std::string(parser.name) + (accepted ? ": read" : ": refused")];
    if (!problem.empty() && ++failures <= 5)
      std::printf("case %lu, %s: %s\n", static_cast<unsigned long>(i), parser.name,
                  problem.c_str());
  }
  std::printf("damaged texts: n %lu, seed %lu\n", static_cast<unsigned long>(campaign.count),
              static_cast<unsigned long>(campaign.seed));
  for (const auto &[answer, count] : answers)
    std::printf("  %8lu  %s\n", static_cast<unsigned long>(count), answer.c_str());
  std::printf("  slowest %.3f s\nfailures: %lu\n", std::chrono::duration<double>(slowest).count(),
              static_cast<unsigned long>(failures));
  return failures > 0 ? 1 : 0;
}

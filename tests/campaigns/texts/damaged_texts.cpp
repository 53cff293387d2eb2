// SPDX-License-Identifier: MIT
// damaged_texts [--count N] [--seed N] [--first N]: damaged texts of schedules, C++ and JSON by
// turns. Each is read or refused with a place and a printable message, at once; what is read can be
// printed and is read again as the same.
#include "engine/schedule/cpp_parser.h"
#include "engine/schedule/directive_json.h"
#include "tests/campaigns/frames/campaign.h"
#include "tests/engine/schedule/random_directives.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <string_view>

namespace {

using namespace tessera;
using namespace tessera::schedule;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kSlow{2};

// Pieces that mean something to one of the parsers.
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

// One wound: bytes, pieces, or a stretch that is lost, moved or repeated.
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
  default: { // many of the same, nested or in a row
    std::string many;
    const std::string one = piece(random) + (below(random, 2) ? piece(random) : "");
    const std::size_t size = std::size_t{1} << below(random, 15);
    while (many.size() < size)
      many += one;
    text.insert(at, many);
  }
  }
}

// A wound that leaves the text JSON: some value becomes another, or is lost.
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

bool isPrintable(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c < 0x7f; });
}

// Empty, or what is wrong with how the text was answered.
std::string problemWithCpp(const std::string &text, bool &accepted) {
  const auto read = parseCpp(text);
  accepted = read.ok();
  if (!read) {
    const std::string &message = read.error().message;
    if (!isPrintable(message)) return "the message cannot be printed";
    return message.starts_with("line ") ? "" : "no place: " + message;
  }
  const auto printed = cppText(read->header, read->directives);
  if (!printed) return "was read but cannot be printed: " + printed.error().message;
  const auto again = parseCpp(*printed);
  if (!again) return "was printed but cannot be read: " + again.error().message;
  return again->directives == read->directives && again->header == read->header
             ? ""
             : "is another after printing";
}

std::string problemWithJson(const std::string &text, bool &accepted) {
  const auto document = nlohmann::json::parse(text, nullptr, false);
  accepted = false;
  if (document.is_discarded()) return {};
  const auto read = directivesFromJson(document);
  accepted = read.ok();
  if (!read) return read.error().message.empty() ? "no message" : "";
  for (const Directive &directive : *read)
    if (const std::string problem = problemWith(directive); !problem.empty()) return problem;
  const auto again = directivesFromJson(nlohmann::json::parse(toJson(*read).dump()));
  return again && *again == *read ? "" : "is another after printing";
}

std::string originalOf(bool cpp, std::mt19937_64 &random) {
  const Pick pick = [&random](std::size_t n) { return below(random, n); };
  const auto directives = randomDirectives(pick, below(random, 12));
  if (!cpp) return toJson(directives).dump(below(random, 2) ? 1 : -1);
  const auto text = cppText(randomHeader(pick), directives);
  return text ? *text : std::string();
}

} // namespace

int main(int argc, char **argv) {
  const test::Campaign campaign = test::campaignFromArguments(argc, argv, 100'000);
  std::uint64_t failures = 0;
  std::map<std::string, std::uint64_t> answers;
  Clock::duration slowest{};
  for (std::uint64_t i = campaign.first; i < campaign.first + campaign.count; ++i) {
    std::mt19937_64 random = campaign.random(i);
    const bool cpp = i % 2 == 0;
    std::string text = originalOf(cpp, random);
    std::size_t wounds = 1 + below(random, 3);
    if (!cpp && below(random, 2)) {
      auto document = nlohmann::json::parse(text);
      for (; wounds > 0; --wounds)
        damage(document, random);
      text = document.dump();
    }
    for (; wounds > 0; --wounds)
      damage(text, random);
    bool accepted = false;
    const auto begin = Clock::now();
    std::string problem = cpp ? problemWithCpp(text, accepted) : problemWithJson(text, accepted);
    const auto time = Clock::now() - begin;
    slowest = std::max(slowest, time);
    if (problem.empty() && time > kSlow) problem = "took longer than 2 s";
    ++answers[std::string(cpp ? "C++, " : "JSON, ") + (accepted ? "read" : "refused")];
    if (!problem.empty() && ++failures <= 5)
      std::printf("case %lu: %s\n", static_cast<unsigned long>(i), problem.c_str());
  }
  std::printf("damaged texts: n %lu, seed %lu\n", static_cast<unsigned long>(campaign.count),
              static_cast<unsigned long>(campaign.seed));
  for (const auto &[answer, count] : answers)
    std::printf("  %8lu  %s\n", static_cast<unsigned long>(count), answer.c_str());
  std::printf("  slowest %.3f s\nfailures: %lu\n", std::chrono::duration<double>(slowest).count(),
              static_cast<unsigned long>(failures));
  return failures > 0 ? 1 : 0;
}

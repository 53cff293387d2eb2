// SPDX-License-Identifier: MIT
// damaged_documents [--count N] [--seed N] [--first N]: damages a document in turn as bytes, in a
// section whose checksum is made to fit, and in its journal. The document must open, or be refused
// with a message, at once. A document that opens must say what is lost, and can be saved and opened
// again without loss.
#include "engine/document/document_file.h"
#include "engine/document/journal.h"
#include "engine/document/sections.h"
#include "engine/host/files.h"
#include "tests/campaigns/frames/campaign.h"
#include "tests/engine/document/documents.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <string>

namespace {

using namespace tessera;
using namespace tessera::document;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kSlow{2};

struct Counts {
  std::uint64_t whole = 0, partly = 0, refused = 0, failures = 0;
  Clock::duration slowest{};
};

std::size_t below(std::mt19937_64 &random, std::size_t n) { return n == 0 ? 0 : random() % n; }

void damageBytes(std::string &text, std::mt19937_64 &random) {
  const std::size_t at = below(random, text.size());
  const std::size_t length = std::min(below(random, 600), text.size() - at);
  switch (below(random, 6)) {
  case 0:
    text[at] = static_cast<char>(text[at] ^ (1 << below(random, 8)));
    break;
  case 1:
    text.erase(at, length);
    break;
  case 2:
    text.insert(below(random, text.size()), text.substr(at, length));
    break;
  case 3:
    text.resize(at);
    break;
  case 4: // like a disk block that was never written
    std::fill_n(text.begin() + std::ptrdiff_t(at), length, '\0');
    break;
  default:
    text.insert(at, below(random, 2) ? "\n" : "\n{\"section\":\"schedule\",\"bytes\":9}\n");
  }
}

// Replaces or removes a value.
void damageValue(nlohmann::json &value, std::mt19937_64 &random) {
  static const auto kValues = nlohmann::json::parse(
      R"([null, true, -1, 0, 7, 3.5, 1e300, 18446744073709551615, "", "g", "a", "search", [], {},
          {"id": 1}, [[1, 2]], {"name": "x", "pin": "a"}])");
  if (!value.empty() && value.is_structured() && below(random, 5) != 0) {
    auto item = value.begin();
    std::advance(item, below(random, value.size()));
    if (below(random, 8) == 0)
      value.erase(item);
    else
      damageValue(*item, random);
    return;
  }
  value = kValues[below(random, kValues.size())];
}

std::string resealed(const std::string &text, std::mt19937_64 &random) {
  auto read = readSections("document", 1, text);
  std::vector<Section> sections = std::move(read->sections);
  for (std::size_t wounds = 1 + below(random, 3); wounds > 0; --wounds) {
    Section &section = sections[below(random, sections.size())];
    auto value = nlohmann::json::parse(section.text);
    damageValue(value, random);
    section.text = value.dump();
  }
  if (below(random, 8) == 0) sections.erase(sections.begin() + std::ptrdiff_t(below(random, 5)));
  return sectionsText("document", 1, sections);
}

// Returns what is wrong with the document that was opened, or nothing.
std::string problemWith(const Document &document, const SizeHistory &sizes) {
  const auto again = readDocument(documentText(document, {}, sizes));
  if (!again) return "cannot be opened again: " + again.error().message;
  if (!again->lost.empty()) return "loses again: " + again->lost.front();
  const std::string found = document::test::difference(again->document, document);
  return found.empty() ? document::test::difference(again->sizes, sizes) : found;
}

std::string problemWithText(const std::string &text, Counts &counts) {
  const auto read = readDocument(text, [](const PipelineCopy &) -> Result<pipeline::PipelinePtr> {
    return document::test::exampleSource()->pipeline;
  });
  if (!read) {
    ++counts.refused;
    return read.error().message.empty() ? "is refused without a word" : "";
  }
  ++(read->lost.empty() ? counts.whole : counts.partly);
  return problemWith(read->document, read->sizes);
}

std::string problemWithJournal(const std::string &path, const std::string &text, Counts &counts) {
  if (!host::writeFile(path, text)) return "cannot be written";
  const auto recovered = recover(path);
  if (!recovered) {
    ++counts.refused;
    return recovered.error().message.empty() ? "is refused without a word" : "";
  }
  ++(recovered->isWhole ? counts.whole : counts.partly);
  return problemWith(recovered->base.document, recovered->base.sizes);
}

// The bytes of the journal of a session with a few edits.
std::string exampleJournal(const std::string &folder) {
  const Document document = document::test::exampleDocument();
  {
    auto journal =
        Journal::begin(folder, {document, "/x/a.tessera", false, document::test::exampleSizes()});
    for (const int factor : {4, 2, 8})
      (*journal)->append(EditSchedule{"Tile", document::test::variant(document, factor)});
    (*journal)->append(Undo{});
    (*journal)->append(SetMeasurement{1, document::test::exampleMeasurement()});
    (*journal)->append(SetVerification{
        1, document::test::verificationOf(document, document.candidate(1)->schedule)});
  }
  return *host::readFile(findRecoverable(folder).front().journal);
}

} // namespace

int main(int argc, char **argv) {
  const tessera::test::Campaign campaign = tessera::test::campaignFromArguments(argc, argv, 10'000);
  const auto scratch = host::ScratchFolder::create(std::filesystem::temp_directory_path().string());
  if (!scratch) return 1;
  const std::string document =
      documentText(document::test::fullDocument(), "layout", document::test::exampleSizes());
  const std::string journal = exampleJournal(scratch->path() + "/recovery");
  Counts counts;
  for (std::uint64_t i = campaign.first; i < campaign.first + campaign.count; ++i) {
    std::mt19937_64 random = campaign.random(i);
    std::string text = i % 3 == 1 ? resealed(document, random) : i % 3 == 0 ? document : journal;
    if (i % 3 != 1)
      for (std::size_t wounds = 1 + below(random, 4); wounds > 0 && !text.empty(); --wounds)
        damageBytes(text, random);
    const auto begin = Clock::now();
    std::string problem = i % 3 == 2
                              ? problemWithJournal(scratch->path() + "/a.journal", text, counts)
                              : problemWithText(text, counts);
    const Clock::duration took = Clock::now() - begin;
    counts.slowest = std::max(counts.slowest, took);
    if (took > kSlow) problem += " takes too long";
    if (problem.empty()) continue;
    ++counts.failures;
    std::printf("case %ju: %s\n", std::uintmax_t(i), problem.c_str());
  }
  std::printf("damaged_documents seed=%ju n=%ju whole=%ju partly=%ju refused=%ju slowest_ms=%.1f "
              "failures=%ju\n",
              std::uintmax_t(campaign.seed), std::uintmax_t(campaign.count),
              std::uintmax_t(counts.whole), std::uintmax_t(counts.partly),
              std::uintmax_t(counts.refused),
              std::chrono::duration<double, std::milli>(counts.slowest).count(),
              std::uintmax_t(counts.failures));
  return counts.failures == 0 ? 0 : 1;
}

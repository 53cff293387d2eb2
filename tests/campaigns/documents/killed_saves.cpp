// SPDX-License-Identifier: MIT
// killed_saves [--count N] [--seed N] [--first N]: kills a program at a random moment while it
// saves its document again and again. The file must be one of the saved ones, complete, and not
// older than the last save that returned.
#include "engine/document/document_file.h"
#include "engine/host/files.h"
#include "tests/campaigns/documents/killed_child.h"
#include "tests/campaigns/frames/campaign.h"
#include "tests/engine/document/documents.h"

#include <charconv>
#include <filesystem>

namespace {

using namespace tessera;
using namespace tessera::document;

constexpr std::uint64_t kLatestKill = 20'000; // in microseconds

// The document itself stores the number of its save.
Document numbered(Document document, std::uint64_t number) {
  (void)document.apply(SetTarget{std::to_string(number), "auto"});
  return document;
}

std::string problemWith(const std::string &path, const Document &document, std::uint64_t last) {
  const auto read = openDocument(path);
  if (!read) return read.error().message;
  if (!read->lost.empty()) return "lost " + read->lost.front();
  std::uint64_t number = 0;
  const std::string &word = read->document.parts().machine;
  std::from_chars(word.data(), word.data() + word.size(), number);
  if (number < last) return "save " + std::to_string(last) + " returned, and " + word + " is there";
  return document::test::difference(read->document, numbered(document, number));
}

} // namespace

int main(int argc, char **argv) {
  const tessera::test::Campaign campaign = tessera::test::campaignFromArguments(argc, argv, 1000);
  const auto scratch = host::ScratchFolder::create(std::filesystem::temp_directory_path().string());
  if (!scratch) return 1;
  const Document document = document::test::exampleDocument();
  std::uint64_t failures = 0, saves = 0;
  for (std::uint64_t i = campaign.first; i < campaign.first + campaign.count; ++i) {
    const std::string folder = scratch->path() + "/" + std::to_string(i);
    const std::string path = folder + "/a.tessera";
    if (!saveDocument(path, numbered(document, 0), {})) return 1;
    const std::chrono::microseconds after(campaign.random(i)() % kLatestKill);
    const std::uint64_t last = tessera::test::killedAfter(after, [&](const auto &tell) {
      tell(0);
      for (std::uint64_t save = 1; saveDocument(path, numbered(document, save), {}); ++save)
        tell(save);
    });
    saves += last;
    const std::string problem = problemWith(path, document, last);
    std::filesystem::remove_all(folder);
    if (problem.empty()) continue;
    ++failures;
    std::printf("case %ju: %s\n", std::uintmax_t(i), problem.c_str());
  }
  std::printf("killed_saves seed=%ju n=%ju saves=%ju failures=%ju\n", std::uintmax_t(campaign.seed),
              std::uintmax_t(campaign.count), std::uintmax_t(saves), std::uintmax_t(failures));
  return failures == 0 ? 0 : 1;
}

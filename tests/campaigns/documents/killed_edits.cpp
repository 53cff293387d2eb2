// SPDX-License-Identifier: MIT
// killed_edits [--count N] [--seed N] [--first N]: kills a program at a random moment while it
// edits, verifies and now and then saves its document. The journal must give the document back with
// everything that was done, perhaps except the last operation.
#include "engine/document/journal.h"
#include "engine/host/files.h"
#include "tests/campaigns/documents/killed_child.h"
#include "tests/campaigns/frames/campaign.h"
#include "tests/engine/document/documents.h"

#include <array>
#include <filesystem>
#include <optional>

namespace {

using namespace tessera;
using namespace tessera::document;

constexpr std::uint64_t kLatestKill = 20'000; // in microseconds
constexpr std::array kFactors{2, 4, 8, 16, 32};
constexpr std::uint64_t kBetweenSaves = 7, kBetweenInputs = 3, kBetweenVerifications = 2;
constexpr std::uint64_t kVerified = 2; // a candidate of the example document

// Each edit is a step of the history.
Operation edit(const Document &document, std::uint64_t number) {
  const std::string text = std::to_string(number);
  if (number % kBetweenInputs == 0)
    return SetInputs{"Input " + text, document.inputs().with("in", "/there/" + text + ".npy")};
  return EditSchedule{"Edit " + text,
                      document::test::variant(document, kFactors[number % kFactors.size()])};
}

// The verification that follows an edit, if there is one. It is no step of the history.
std::optional<Operation> verification(const Document &document, std::uint64_t number) {
  if (number % kBetweenVerifications != 0) return std::nullopt;
  KeptVerification verified =
      document::test::verificationOf(document, document.candidate(kVerified)->schedule);
  verified.program = "after edit " + std::to_string(number);
  return SetVerification{kVerified, verified};
}

void editForEver(const std::string &folder, Document document,
                 const std::function<void(std::uint64_t)> &tell) {
  auto journal = Journal::begin(folder, {document, {}, false});
  if (!journal) return;
  tell(0);
  for (std::uint64_t number = 1;; ++number) {
    const Operation operation = edit(document, number);
    if (!document.apply(operation)) return;
    (*journal)->append(operation);
    if (const auto verified = verification(document, number)) {
      if (!document.apply(*verified)) return;
      (*journal)->append(*verified);
    }
    tell(number);
    if (number % kBetweenSaves == 0) (*journal)->rebase({document, "/x/a.tessera", false});
  }
}

std::string problemWith(const std::string &folder, Document document, std::uint64_t told) {
  const std::size_t before = document.parts().steps.size();
  std::vector<Recoverable> found = findRecoverable(folder);
  // If the journal only says that everything is saved, there is nothing to recover.
  if (found.empty()) return told % kBetweenSaves <= 1 ? "" : "nothing is there to recover";
  const auto recovered = recover(found.front().journal);
  if (!recovered) return recovered.error().message;
  const Document &back = recovered->base.document;
  const std::uint64_t edits = back.parts().steps.size() - before;
  if (edits + 1 < told || edits > told + 1)
    return std::to_string(told) + " edits were made, " + std::to_string(edits) + " came back";
  for (std::uint64_t number = 1; number <= edits; ++number) {
    if (!document.apply(edit(document, number))) return "cannot be edited";
    const auto verified = verification(document, number);
    // The last verification may be lost, unless a later edit was reported.
    if (verified && number == edits && number >= told &&
        document::test::difference(back, document).empty())
      return "";
    if (verified && !document.apply(*verified)) return "cannot be verified";
  }
  return document::test::difference(back, document);
}

} // namespace

int main(int argc, char **argv) {
  const tessera::test::Campaign campaign = tessera::test::campaignFromArguments(argc, argv, 200);
  const auto scratch = host::ScratchFolder::create(std::filesystem::temp_directory_path().string());
  if (!scratch) return 1;
  Document document = document::test::exampleDocument();
  (void)document.apply(Redo{}); // goes to the end of the history, so that edits are appended
  std::uint64_t failures = 0, edits = 0;
  for (std::uint64_t i = campaign.first; i < campaign.first + campaign.count; ++i) {
    const std::string folder = scratch->path() + "/" + std::to_string(i);
    const std::chrono::microseconds after(campaign.random(i)() % kLatestKill);
    const std::uint64_t told = tessera::test::killedAfter(
        after, [&](const auto &tell) { editForEver(folder, document, tell); });
    edits += told;
    const std::string problem = problemWith(folder, document, told);
    std::filesystem::remove_all(folder);
    if (problem.empty()) continue;
    ++failures;
    std::printf("case %ju: %s\n", std::uintmax_t(i), problem.c_str());
  }
  std::printf("killed_edits seed=%ju n=%ju edits=%ju failures=%ju\n", std::uintmax_t(campaign.seed),
              std::uintmax_t(campaign.count), std::uintmax_t(edits), std::uintmax_t(failures));
  return failures == 0 ? 0 : 1;
}

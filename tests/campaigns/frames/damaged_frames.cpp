// SPDX-License-Identifier: MIT
// Feeds randomly damaged frames to the reader in random pieces. Each must be refused with a cause.
// Two kinds are counted apart: damage that leaves whole frames (a lost frame damages no other), and
// damage under new checksums that happens to be another valid message.
//
// The cases run in child processes, so that a crash is counted and does not end the campaign.
#include "engine/job/frame.h"
#include "engine/job/sanitized.h"
#include "tests/campaigns/frames/campaign.h"
#include "tests/campaigns/frames/frame_damage.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <map>
#include <new>
#include <string>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using namespace tessera;
using nlohmann::json;

// The text of a refusal must contain one of these. Each occurs if the campaign is long enough.
constexpr std::array<const char *, 11> kCauses{
    "the magic word",       "its version is",          "checksum of its header",
    "over the limit",       "checksum of its payload", "the stream ends",
    "trailing bytes",       "ends in the middle",      "longer than the message",
    "than the message has", "as we write it"}; // all other errors of CBOR

struct Counts {
  std::uint64_t refused, outside, valid, accepted, unnamed;
  std::array<std::uint64_t, kCauses.size()> byCause;
};

// The memory that the child processes share.
struct Shared {
  std::atomic<std::uint64_t> next; // the case to run next; incremented before the case runs
  Counts counts;
};

struct Heard {
  std::vector<json> messages;
  std::string refusal;
};

Heard hear(const std::vector<std::byte> &bytes, std::mt19937_64 &random) {
  Heard heard;
  job::FrameReader reader;
  for (std::size_t at = 0; at < bytes.size() && heard.refusal.empty();) {
    const std::size_t take = std::min<std::size_t>(1 + random() % 64, bytes.size() - at);
    reader.append(std::span(bytes).subspan(at, take));
    at += take;
    while (true) {
      auto next = reader.next();
      if (!next) heard.refusal = next.error().message;
      if (!next || !*next) break;
      heard.messages.push_back(std::move(**next));
    }
  }
  const Status end = reader.finish();
  if (heard.refusal.empty() && !end) heard.refusal = end.error().message;
  return heard;
}

bool isSubsequence(const std::vector<json> &part, const std::vector<json> &whole) {
  auto at = whole.begin();
  for (const json &message : part) {
    at = std::find(at, whole.end(), message);
    if (at == whole.end()) return false;
    ++at;
  }
  return true;
}

void runCase(const test::Campaign &campaign, std::uint64_t index, Counts &counts) {
  std::mt19937_64 random = campaign.random(index);
  const test::DamagedStream stream = test::damagedStream(random);
  const Heard heard = hear(stream.bytes, random);
  const bool onlyTrueMessages = isSubsequence(heard.messages, stream.messages);
  if (!onlyTrueMessages && stream.resealed) {
    ++counts.valid;
  } else if (!onlyTrueMessages) {
    ++counts.accepted;
    std::printf("case %ju: a damaged frame was taken for a message\n", std::uintmax_t(index));
  } else if (heard.refusal.empty()) {
    // The frames that arrived are whole. Either the damage begins and ends at borders of frames, or
    // the damaged payload, with its new checksums, still encodes the same value.
    ++(stream.resealed ? counts.valid : counts.outside);
  } else {
    const auto cause = std::find_if(kCauses.begin(), kCauses.end(), [&](const char *words) {
      return heard.refusal.find(words) != std::string::npos;
    });
    if (cause == kCauses.end()) {
      ++counts.unnamed;
      std::printf("case %ju: refused without a cause: %s\n", std::uintmax_t(index),
                  heard.refusal.c_str());
    } else {
      ++counts.refused;
      ++counts.byCause[static_cast<std::size_t>(cause - kCauses.begin())];
    }
  }
}

// A reader that trusts a damaged length would allocate gigabytes.
void limitMemory() {
  if (job::kSanitized) return;
  const rlimit limit{std::size_t{1} << 30, std::size_t{1} << 30};
  ::setrlimit(RLIMIT_AS, &limit);
}

} // namespace

int main(int argc, char **argv) {
  const test::Campaign campaign = test::campaignFromArguments(argc, argv, 20'000);
  void *memory =
      ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return 2;
  auto *shared = new (memory) Shared{};
  shared->next = campaign.first;
  const std::uint64_t end = campaign.first + campaign.count;

  std::uint64_t crashes = 0;
  while (shared->next < end) {
    std::fflush(stdout);
    const pid_t child = ::fork();
    if (child < 0) return 2;
    if (child == 0) {
      limitMemory();
      while (shared->next < end)
        runCase(campaign, shared->next++, shared->counts);
      std::fflush(stdout);
      ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    if (status == 0) continue;
    ++crashes;
    std::printf("case %ju: the reader crashed (status %d)\n", std::uintmax_t(shared->next - 1),
                status);
  }

  const Counts &counts = shared->counts;
  for (std::size_t i = 0; i < kCauses.size(); ++i)
    std::printf("  %8ju refused: %s\n", std::uintmax_t(counts.byCause[i]), kCauses[i]);
  std::printf(
      "damaged_frames seed=%ju n=%ju refused=%ju outside_frames=%ju valid_when_resealed=%ju "
      "accepted=%ju unnamed=%ju crashes=%ju\n",
      std::uintmax_t(campaign.seed), std::uintmax_t(campaign.count), std::uintmax_t(counts.refused),
      std::uintmax_t(counts.outside), std::uintmax_t(counts.valid), std::uintmax_t(counts.accepted),
      std::uintmax_t(counts.unnamed), std::uintmax_t(crashes));
  const std::uint64_t seen =
      counts.refused + counts.outside + counts.valid + counts.accepted + counts.unnamed + crashes;
  return counts.accepted + counts.unnamed + crashes == 0 && seen == campaign.count ? 0 : 1;
}

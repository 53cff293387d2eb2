// SPDX-License-Identifier: MIT
// Kills workers at random moments of a request. The client must report it, and the next request
// must succeed within two seconds.
#include "engine/job/worker_client.h"
#include "tests/campaigns/frames/campaign.h"
#include "tests/engine/job/processes.h"

#include <algorithm>
#include <csignal>
#include <thread>

namespace {

using namespace tessera;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto kRecovery = 2s;
constexpr std::chrono::microseconds kLatestKill = 20ms;

struct Counts {
  std::uint64_t crashed = 0;
  std::uint64_t answeredFirst = 0; // the reply was sent before the kill
  std::uint64_t failures = 0;
  Clock::duration slowest{};
};

void fail(Counts &counts, std::uint64_t index, const std::string &what) {
  ++counts.failures;
  std::printf("case %ju: %s\n", std::uintmax_t(index), what.c_str());
}

void runCase(job::WorkerClient &client, std::mt19937_64 random, std::uint64_t index,
             Counts &counts) {
  const job::Reply who = client.request("pid", {}, kRecovery);
  if (who.outcome != Outcome::Ok) return fail(counts, index, "no worker: " + who.error.message);
  const pid_t pid = who.body.at("pid");
  const test::ProcessWatch watch(pid);
  const bool endless = random() % 2 == 0;
  const std::chrono::microseconds after(random() % static_cast<std::uint64_t>(kLatestKill.count()));
  std::thread killer([&] {
    std::this_thread::sleep_for(after);
    ::kill(pid, SIGKILL);
  });
  const job::Reply reply = endless
                               ? client.request("hang", {}, 10s)
                               : client.request("report", {{"count", 100 + random() % 400}}, 10s);
  killer.join();
  if (reply.outcome == Outcome::Crashed)
    ++counts.crashed;
  else if (reply.outcome == Outcome::Ok && !endless)
    ++counts.answeredFirst;
  else
    fail(counts, index, "ended as '" + std::string(name(reply.outcome)) + "'");
  if (!watch.endsWithin(kRecovery)) fail(counts, index, "the killed worker is still there");

  const auto begin = Clock::now();
  const job::Reply next = client.request("echo", {{"index", index}}, kRecovery);
  counts.slowest = std::max(counts.slowest, Clock::now() - begin);
  if (next.outcome != Outcome::Ok || next.body.at("index") != index)
    fail(counts, index, "the next request failed: " + next.error.message);
}

} // namespace

int main(int argc, char **argv) {
  const test::Campaign campaign = test::campaignFromArguments(argc, argv, 200);
  Counts counts;
  {
    job::WorkerClient client(test::misbehavingWorker());
    for (std::uint64_t i = campaign.first; i < campaign.first + campaign.count; ++i)
      runCase(client, campaign.random(i), i, counts);
  }
  if (!test::haveNoChildren()) fail(counts, campaign.count, "children are left");
  std::printf(
      "killed_workers seed=%ju n=%ju crashed=%ju answered_first=%ju slowest_recovery_ms=%.1f "
      "failures=%ju\n",
      std::uintmax_t(campaign.seed), std::uintmax_t(campaign.count), std::uintmax_t(counts.crashed),
      std::uintmax_t(counts.answeredFirst),
      std::chrono::duration<double, std::milli>(counts.slowest).count(),
      std::uintmax_t(counts.failures));
  return counts.failures == 0 ? 0 : 1;
}

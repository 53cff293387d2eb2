// SPDX-License-Identifier: MIT
// Workers hang in every way that is known. The deadline must hold, the process must be gone, and
// the next request must succeed within two seconds.
#include "engine/job/worker_client.h"
#include "tests/campaigns/frames/campaign.h"
#include "tests/engine/job/processes.h"

#include <algorithm>
#include <csignal>

namespace {

using namespace tessera;
using namespace std::chrono_literals;
using nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr auto kRecovery = 2s;

struct Counts {
  std::uint64_t timedOut = 0;
  std::uint64_t failures = 0;
  Clock::duration worstOverrun{};
  Clock::duration slowest{};
};

void fail(Counts &counts, std::uint64_t index, const std::string &what) {
  ++counts.failures;
  std::printf("case %ju: %s\n", std::uintmax_t(index), what.c_str());
}

// Each of these is a request. "stopped before" means that the worker is stopped from outside and
// never reads its request.
json randomHang(std::mt19937_64 &random) {
  switch (random() % 6) {
  case 0:
    return {{"type", "hang"}};
  case 1:
    return {{"type", "hang"}, {"ignore", "SIGTERM"}};
  case 2:
    return {{"type", "spin"}};
  case 3:
    return {{"type", "signal"}, {"signal", SIGSTOP}};
  case 4:
    return {{"type", "say"}, {"bytes", json::binary({'T', 'S', 'R', 'A', 1})}, {"then", "hang"}};
  default:
    return {{"type", "stopped before"}, {"much", std::string(1 << 20, 'x')}};
  }
}

void runCase(job::WorkerClient &client, std::mt19937_64 random, std::uint64_t index,
             Counts &counts) {
  const job::Reply who = client.request("pid", {}, kRecovery);
  if (who.outcome != Outcome::Ok) return fail(counts, index, "no worker: " + who.error.message);
  const pid_t pid = who.body.at("pid");
  const test::ProcessWatch watch(pid);
  const json request = randomHang(random);
  if (request.at("type") == "stopped before") ::kill(pid, SIGSTOP);

  const std::chrono::milliseconds timeout(10 + random() % 90);
  auto begin = Clock::now();
  const job::Reply reply = client.request(request.at("type"), request, timeout);
  counts.worstOverrun = std::max(counts.worstOverrun, Clock::now() - begin - timeout);
  if (reply.outcome == Outcome::CompileTimeout)
    ++counts.timedOut;
  else
    fail(counts, index, "ended as '" + std::string(name(reply.outcome)) + "'");
  if (!watch.endsWithin(kRecovery)) fail(counts, index, "the hung worker is still there");

  begin = Clock::now();
  const job::Reply next = client.request("echo", {{"index", index}}, kRecovery);
  counts.slowest = std::max(counts.slowest, Clock::now() - begin);
  if (next.outcome != Outcome::Ok) fail(counts, index, "the next failed: " + next.error.message);
}

double milliseconds(Clock::duration time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

} // namespace

int main(int argc, char **argv) {
  const test::Campaign campaign = test::campaignFromArguments(argc, argv, 50);
  Counts counts;
  {
    job::WorkerClient client(test::misbehavingWorker());
    for (std::uint64_t i = campaign.first; i < campaign.first + campaign.count; ++i)
      runCase(client, campaign.random(i), i, counts);
  }
  if (!test::haveNoChildren()) fail(counts, campaign.count, "children are left");
  std::printf("hung_workers seed=%ju n=%ju timed_out=%ju worst_overrun_ms=%.1f "
              "slowest_recovery_ms=%.1f failures=%ju\n",
              std::uintmax_t(campaign.seed), std::uintmax_t(campaign.count),
              std::uintmax_t(counts.timedOut), milliseconds(counts.worstOverrun),
              milliseconds(counts.slowest), std::uintmax_t(counts.failures));
  return counts.failures == 0 ? 0 : 1;
}

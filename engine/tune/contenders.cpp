// SPDX-License-Identifier: MIT
#include "engine/tune/contenders.h"

#include "engine/tune/algorithm_word.h"
#include "engine/tune/other_searches.h"
#include "engine/tune/refine.h"
#include "engine/tune/search_run.h"
#include "engine/cost/prediction.h"
#include "engine/document/schedule_source.h"
#include "engine/schedule/edits/default_schedule.h"
#include "engine/search/algorithms.h"
#include "engine/search/kernels/frozen_conflict.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>

namespace tessera::tune {

namespace {

using schedule::Schedule;

constexpr std::string_view kRefined = "refined";
// For the word "refined": so many searches are run, each for a GPU with other rates, and at most as
// many schedules are compiled.
constexpr std::size_t kRefinedCandidates = 16;

// The word "anderson2021-top5" stands for the five schedules that the peer predicts to be fastest,
// of which the fastest as measured counts: "anderson2021" and those with a rank behind it.
constexpr std::string_view kTopPeer = "anderson2021", kTop = "anderson2021-top5";
constexpr std::size_t kTopCount = 5;
constexpr char kRankMark = '#';

std::vector<std::string> topWords() {
  std::vector<std::string> words{std::string(kTopPeer)};
  for (std::size_t rank = 2; rank <= kTopCount; ++rank)
    words.push_back(std::string(kTopPeer) + kRankMark + std::to_string(rank));
  return words;
}

std::vector<std::string> withoutShortWords(const std::vector<std::string> &words) {
  std::vector<std::string> all;
  for (const std::string &word : words)
    for (const std::string &one : word == kTop ? topWords() : std::vector<std::string>{word})
      if (word != kTop || std::ranges::find(all, one) == all.end()) all.push_back(one);
  return all;
}

// The peer's word, and which of its schedules is meant.
std::pair<std::string, std::size_t> rankedPeer(const std::string &word) {
  const std::vector<std::string> words = topWords();
  const auto at = std::ranges::find(words, word);
  if (at == words.end()) return {word, 0};
  return {words.front(), static_cast<std::size_t>(at - words.begin())};
}

bool isPeer(const std::string &word, const std::vector<Peer> &peers) {
  return std::ranges::find(peers, rankedPeer(word).first, &Peer::word) != peers.end();
}

// Names a contender after its file: "out/mine.schedule.h" → "mine".
std::string nameFor(const std::string &word) {
  std::string name = std::filesystem::path(word).filename().string();
  for (const std::string_view ending : {".json", ".h", ".schedule"})
    if (name.size() > ending.size() && name.ends_with(ending))
      name.resize(name.size() - ending.size());
  for (char &c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '_' && c != '.') c = '_';
  if (name.front() == '.') name.front() = '_';
  return name;
}

Error unknownWord(const std::string &word, const std::vector<Peer> &peers) {
  std::string known = "default, manual, refined";
  for (const search::Algorithm &algorithm : search::algorithms())
    known += ", " + std::string(algorithm.name);
  for (const Peer &peer : peers)
    known += ", " + peer.word;
  known += ", " + std::string(kTop);
  return {ErrorCode::Usage, "'" + word + "' cannot be compared.",
          "Known candidates: " + known + ", and files that end in .schedule.h or .json."};
}

class Finder {
public:
  Finder(Contender contender, const ContenderSources &sources, open::PipelineOpener &opener,
         measure::ScheduleCompiler &compiler, const std::stop_token &stop,
         const job::ProgressCallback &progress)
      : m_found{std::move(contender), {}}, m_sources(sources), m_opener(opener),
        m_compiler(compiler), m_stop(stop), m_progress(progress) {}

  FoundContender run() {
    const std::string &word = m_found.contender.word;
    const auto peers = peersFor(m_sources.machine, m_sources.tools);
    if (isPeer(word, peers))
      findByPeer(chosenPeers(peers, {rankedPeer(word).first})->front(), rankedPeer(word).second);
    else if (word == kRefined || namesAlgorithm(word))
      findBySearch(word);
    else
      findInSource(word);
    return std::move(m_found);
  }

private:
  void refuse(std::string why) { m_found.contender.why = std::move(why); }

  void take(const Schedule &schedule, bool isPredicted) {
    Contender &contender = m_found.contender;
    contender.state = ContenderState::NotCompiled;
    contender.hash = schedule.hash();
    contender.registerCap = schedule.settings().registerCap;
    if (isPredicted)
      contender.predictedSeconds = cost::predict(schedule, m_sources.machine).seconds;
    m_found.pipeline = measure::scheduledPipeline(m_sources.opened.file, schedule);
  }

  void findInSource(const std::string &word) {
    const auto sourced = document::scheduleFrom(word, m_sources.request, m_sources.opened, m_opener,
                                                m_stop, m_progress);
    if (!sourced) return refuse(sourced.error().message);
    if (sourced->inOpenedFile)
      return refuse("the file already has a schedule, so other schedules cannot be compared on it");
    const auto remarks = document::remarksOn(*sourced, m_sources.machine);
    take(sourced->schedule, remarks.ok());
    if (remarks && !remarks->empty()) m_found.contender.why = remarks->front();
    if (sourced->written)
      m_found.pipeline = measure::writtenPipeline(*sourced->written, m_sources.opened);
  }

  void findBySearch(const std::string &word) {
    auto start =
        search::legalStart(schedule::defaultSchedule(m_sources.opened.pipeline), m_sources.machine);
    if (!start) return refuse(start.error().message);
    const auto asked = algorithmWord(word == kRefined ? "auto" : word);
    if (!asked) return refuse(asked.error().message);
    const std::string &algorithm = asked->algorithm;
    search::Problem problem{std::move(*start), m_sources.machine};
    problem.parameters = asked->parameters;
    const auto begin = std::chrono::steady_clock::now();
    const auto found = runSearch(algorithm, problem, m_stop, m_progress);
    if (!found) return refuse(found.error().message);
    search::Candidate best = found->best;
    if (word == kRefined) {
      auto candidates =
          searchedOtherwise(algorithm, problem, kRefinedCandidates, m_stop, m_progress);
      candidates.push_back(best);
      auto refined = refine(candidates, kRefinedCandidates, m_sources.machine,
                            measure::plainPipeline(m_sources.opened), m_compiler, m_sources.scratch,
                            m_stop, m_progress);
      if (!refined) return refuse(refined.error().message);
      best = std::move(refined->best);
    }
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    m_found.contender.scheduleSeconds = seconds.count();
    take(best.schedule, false); // the search has predicted it
    m_found.contender.predictedSeconds = best.seconds;
  }

  void findByPeer(const Peer &peer, std::size_t rank) {
    Contender &contender = m_found.contender;
    if (peer.forHost) return refuse("it schedules for the CPU, but the comparison runs on a GPU");
    const PeerRun run = m_sources.peers->run({peer, m_sources.opened, m_sources.machine,
                                              m_sources.scratch + "/peers", m_sources.peerTimeout,
                                              rank, m_sources.peerSampling},
                                             m_sources.tools, m_opener, m_stop, m_progress);
    contender.scheduleSeconds = run.seconds;
    if (!run.hasSchedule()) return refuse(std::string(name(run.status)) + ": " + run.why);
    if (run.schedule) {
      take(*run.schedule, true);
      contender.why = run.remark;
      return;
    }
    contender.state = ContenderState::NotCompiled;
    contender.isOpaque = true;
    contender.why = run.why + " (" + run.remark + ")";
    contender.registerCap = schedule::Settings().registerCap;
    m_found.pipeline = scheduledPipeline(run, m_sources.opened);
  }

  FoundContender m_found;
  const ContenderSources &m_sources;
  open::PipelineOpener &m_opener;
  measure::ScheduleCompiler &m_compiler;
  const std::stop_token &m_stop;
  const job::ProgressCallback &m_progress;
};

} // namespace

Result<std::vector<Contender>> contendersFor(const std::vector<std::string> &words,
                                             const machine::Machine &machine,
                                             const host::ToolPaths &tools) {
  const auto peers = peersFor(machine, tools);
  std::vector<Contender> contenders;
  // The reference's folder lies beside those of the contenders.
  std::set<std::string> names{"reference"};
  for (const std::string &word : withoutShortWords(words)) {
    if (namesAlgorithm(word))
      if (const auto asked = algorithmWord(word); !asked) return asked.error();
    const bool isKnown = word == kRefined || namesAlgorithm(word) || isPeer(word, peers) ||
                         (!word.empty() && document::parseScheduleWord(word));
    if (!isKnown) return unknownWord(word, peers);
    Contender contender;
    contender.word = word;
    const auto [peer, rank] = rankedPeer(word);
    const std::string base = rank == 0 ? nameFor(word) : peer + "-rank" + std::to_string(rank + 1);
    contender.name = base;
    for (int i = 2; !names.insert(contender.name).second; ++i)
      contender.name = base + "-" + std::to_string(i);
    contenders.push_back(std::move(contender));
  }
  return contenders;
}

FoundContender findContender(Contender contender, const ContenderSources &sources,
                             open::PipelineOpener &opener, measure::ScheduleCompiler &compiler,
                             const std::stop_token &stop, const job::ProgressCallback &progress) {
  return Finder(std::move(contender), sources, opener, compiler, stop, progress).run();
}

} // namespace tessera::tune

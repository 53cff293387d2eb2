// SPDX-License-Identifier: MIT
// Compares the rules with schedules whose verdict on a GPU is known. Takes seconds and needs no
// GPU.
//
//   xz -dc results/known.jsonl.xz | judge_known [--most-wrong N] [--least-right PERCENT] [--why]
//                                               FILE…
//
// Each line of the input is an object: pipeline, run, case, outcome, message, schedule. The outcome
// is one of random_schedules, or "rounding" (floats differ whatever the schedule), or "driver"
// (right without the optimiser of the GPU's driver). Prints the wrong schedules that the rules
// accept, and for each rule how many right schedules it refuses. --why prints each of those and the
// rule's message.
//
// The exit status is not 0 if more than N wrong schedules are accepted, or less than PERCENT of the
// right ones. Wrong schedules that lower() would lower otherwise today are counted separately: it
// is not known whether they are still wrong.

#include "engine/open/open.h"
#include "engine/schedule/directives/lower.h"
#include "engine/schedule/rules/legality.h"
#include "engine/schedule/text/schedule_json.h"
#include "engine/schedule/words/directive_json.h"
#include "tests/support/build_paths.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <iostream>
#include <map>
#include <set>
#include <string>

namespace {

using namespace tessera;

struct Options {
  std::size_t mostWrong = static_cast<std::size_t>(-1), leastRight = 0;
  bool why = false;
  std::vector<std::string> files;
};

Options parse(int argc, char **argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    const auto number = [&](std::size_t &value) {
      const std::string_view word = ++i < argc ? argv[i] : "";
      std::from_chars(word.data(), word.data() + word.size(), value);
    };
    if (argument == "--most-wrong")
      number(options.mostWrong);
    else if (argument == "--least-right")
      number(options.leastRight);
    else if (argument == "--why")
      options.why = true;
    else
      options.files.emplace_back(argument);
  }
  return options;
}

host::ToolPaths tools() {
  host::ToolSearch search;
  search.programPath = tessera::test::binPath("tessera-cli");
  return host::findTools(search);
}

class Judge {
public:
  explicit Judge(bool why) : m_why(why) {}

  bool open(const std::vector<std::string> &files) {
    open::PipelineOpener opener(tools(), std::make_shared<host::TrustStore>(""));
    for (const std::string &file : files) {
      const auto opened = opener.open({file});
      if (!opened) {
        std::fprintf(stderr, "%s\n", opened.error().message.c_str());
        return false;
      }
      m_pipelines[opened->pipeline->name()] = opened->pipeline;
    }
    return true;
  }

  void judge(const nlohmann::json &known) {
    const std::string outcome = known.at("outcome");
    static const std::set<std::string> silent{"compile time-out", "rounding", "driver"};
    if (silent.contains(outcome)) return; // these outcomes tell nothing about the rules
    const auto pipeline = m_pipelines.find(known.at("pipeline"));
    if (pipeline == m_pipelines.end()) return;
    auto read = schedule::scheduleFromJson(pipeline->second, known.at("schedule"));
    if (read) forgetBounds(*read);
    const bool right = outcome == "ok";
    std::string rule = read ? "" : "not a schedule", why;
    if (read)
      if (const auto violations = schedule::check(*read, {}); !violations.empty()) {
        rule = name(violations.front().rule);
        why = violations.front().message;
      }
    const auto print = [&](const char *what, const std::string &message) {
      std::printf("%s: %s, %s, case %d: %s %s\n", what, pipeline->first.c_str(),
                  known.at("run").get<std::string>().c_str(), known.at("case").get<int>(),
                  rule.empty() ? outcome.c_str() : rule.c_str(), message.c_str());
    };
    if (!rule.empty()) {
      auto &[all, ofRight] = m_refusals[rule];
      ++all;
      ofRight += right;
      if (right && m_why) print("refused", why);
    } else if (right) {
      ++m_rightAccepted;
    } else if (isLoweredAsThen(*read, known.at("schedule"))) {
      ++m_wrongAccepted;
      print("accepted", known.at("message"));
    } else {
      ++m_otherwise;
      print("lowered otherwise", known.at("message"));
    }
    ++(right ? m_right : m_wrong);
  }

  bool isAsGoodAs(const Options &options) const {
    std::printf(
        "of %zu right ones %zu are accepted, of %zu wrong ones %zu, and %zu that are lowered "
        "otherwise today\n",
        m_right, m_rightAccepted, m_wrong, m_wrongAccepted, m_otherwise);
    for (const auto &[rule, counts] : m_refusals)
      std::printf("  %6zu refused by %s, %zu of them right\n", counts.first, rule.c_str(),
                  counts.second);
    return m_right > 0 && m_wrongAccepted <= options.mostWrong &&
           100 * m_rightAccepted >= options.leastRight * m_right;
  }

private:
  // Removes the bounds of the storage of threads. They are not decisions: lower() chose them when
  // the case was recorded.
  static void forgetBounds(schedule::Schedule &schedule) {
    for (std::uint32_t f = 0; f < schedule.pipeline()->funcs().size(); ++f) {
      const pipeline::FuncId func{f};
      schedule::FuncPlan plan = schedule.plan(func);
      for (schedule::StorageDim &dim : plan.storageDims)
        dim.bound = 0;
      if (std::ranges::count(plan.storageDims, schedule::StorageDim{}) ==
          std::ssize(plan.storageDims))
        plan.storageDims.clear();
      if (plan != schedule.plan(func)) schedule.set(func, std::move(plan));
    }
  }

  static bool isLoweredAsThen(const schedule::Schedule &schedule, const nlohmann::json &then) {
    const auto sorted = [](const nlohmann::json &directives) {
      std::vector<std::string> all;
      for (const nlohmann::json &directive : directives)
        all.push_back(directive.dump());
      std::ranges::sort(all);
      return all;
    };
    return sorted(schedule::toJson(schedule::lower(schedule))) == sorted(then.at("directives"));
  }

  const bool m_why;
  std::map<std::string, pipeline::PipelinePtr> m_pipelines;
  // Indexed by rule: the number of its refusals, and how many of these schedules had given right
  // results.
  std::map<std::string, std::pair<std::size_t, std::size_t>> m_refusals;
  std::size_t m_right = 0, m_rightAccepted = 0, m_wrong = 0, m_wrongAccepted = 0;
  std::size_t m_otherwise = 0;
};

} // namespace

int main(int argc, char **argv) {
  const Options options = parse(argc, argv);
  Judge judge(options.why);
  if (!judge.open(options.files)) return 2;
  for (std::string line; std::getline(std::cin, line);)
    judge.judge(nlohmann::json::parse(line));
  return judge.isAsGoodAs(options) ? 0 : 1;
}

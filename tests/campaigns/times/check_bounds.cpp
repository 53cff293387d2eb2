// SPDX-License-Identifier: MIT
// Checks what has to hold of every measured schedule. Needs no GPU.
//
//   xz -dc results/h200.jsonl.xz | check_bounds [--machine NAME]
//
// Each line of the input is one of time_bundles. Two things must not be: a schedule that is faster
// than the floor of its pipeline, and a kernel that is predicted to reach more than all of a roof.
// Prints both, and a line with their numbers. The exit status is not 0 where there is one.

#include "engine/cost/roofline/floor.h"
#include "engine/cost/roofline/roofline_work.h"
#include "engine/host/machines.h"
#include "tests/campaigns/times/measured_line.h"
#include "tests/support/build_paths.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <string>
#include <string_view>

namespace {

using namespace tessera;

class Bounds {
public:
  Bounds(const host::ToolPaths &tools, machine::Machine machine)
      : m_reader(tools), m_machine(std::move(machine)), m_ceilings(cost::ceilingsOf(m_machine)) {}

  void add(const nlohmann::json &line) {
    const auto measured = times::measuredIn(m_reader, line);
    if (!measured) return;
    ++m_schedules;
    checkFloor(*measured);
    checkRoofs(*measured);
  }

  bool hold() const {
    std::printf("%d schedules: %d below their floor, the closest at %.2f of its time; %d of %d "
                "kernels above a roof, "
                "the highest at %.1f %%\n",
                m_schedules, m_belowFloor, m_closest, m_aboveRoof, m_kernels, m_highest * 100);
    return m_schedules > 0 && m_belowFloor == 0 && m_aboveRoof == 0;
  }

private:
  void checkFloor(const tune::Measured &measured) {
    const cost::PlacedFloor floor =
        cost::place(cost::floorOf(*measured.schedule.base(), m_machine), m_ceilings);
    const double part = floor.seconds * 1e3 / measured.milliseconds;
    m_closest = std::max(m_closest, part);
    if (part <= 1) return;
    ++m_belowFloor;
    std::printf("%s %s takes %.4f ms, its floor is %.4f ms (%s)\n", measured.pipeline.c_str(),
                measured.name.c_str(), measured.milliseconds, floor.seconds * 1e3,
                std::string(name(floor.binding)).c_str());
  }

  void checkRoofs(const tune::Measured &measured) {
    const cost::Prediction prediction = cost::predict(measured.schedule, m_machine);
    for (const cost::Work &work : worksOf(prediction, measured.schedule, m_machine)) {
      ++m_kernels;
      const cost::Placed placed = cost::place(work, m_ceilings);
      m_highest = std::max(m_highest, placed.reached());
      constexpr double kRounding = 1e-9;
      if (placed.reached() <= 1 + kRounding) continue;
      ++m_aboveRoof;
      std::printf("%s %s %s is predicted to reach %.1f %% of %s\n", measured.pipeline.c_str(),
                  measured.name.c_str(), work.name.c_str(), placed.reached() * 100,
                  std::string(name(placed.binding)).c_str());
    }
  }

  tune::MeasuredReader m_reader;
  const machine::Machine m_machine;
  const cost::Ceilings m_ceilings;
  int m_schedules = 0, m_kernels = 0, m_belowFloor = 0, m_aboveRoof = 0;
  double m_closest = 0, m_highest = 0;
};

} // namespace

int main(int argc, char **argv) {
  const std::string wanted =
      argc == 3 && std::string_view(argv[1]) == "--machine" ? argv[2] : host::kDefaultMachine;
  host::ToolSearch search;
  search.programPath = tessera::test::binPath("tessera-cli");
  const host::ToolPaths tools = host::findTools(search);
  const auto machine = host::machineFor(wanted, tools);
  if (!machine) {
    std::fprintf(stderr, "%s\n", machine.error().message.c_str());
    return 2;
  }
  Bounds bounds(tools, *machine);
  for (std::string line; std::getline(std::cin, line);)
    bounds.add(nlohmann::json::parse(line));
  return bounds.hold() ? 0 : 1;
}

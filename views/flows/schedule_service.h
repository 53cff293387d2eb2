// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/flows/shown_schedule.h"
#include "engine/document/moves.h"
#include "engine/document/schedule_source.h"
#include "engine/document/shared_choices.h"
#include "engine/footprint/tile_sizes.h"
#include "engine/host/tools.h"
#include "engine/job/worker_client.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace tessera::views {

struct ScheduleRequest {
  pipeline::PipelinePtr pipeline;
  std::string algorithm, machine; // names, as in ScheduleService::Choice
  // The schedule whose frozen decisions are kept; none: nothing is kept.
  std::optional<schedule::Schedule> around = {};
  // The values that the decisions that are not frozen begin with: defaults, or those of `around`.
  enum class From { Default, Around };
  From from = From::Around;
};

// What the explorer needs from the engine for scheduling, as data and functions, so that a test can
// replace the search.
struct ScheduleService {
  struct Choice {
    std::string name;
    std::string title; // one line for the user
  };
  using Found = std::function<void(FoundSchedule)>;
  // A size of a tile, with its prediction if the size is legal.
  struct Tile {
    footprint::TileSize size;
    std::optional<cost::Prediction> prediction;
  };

  std::vector<Choice> algorithms; // the default first
  std::vector<Choice> machines;   // sorted by name
  std::string defaultMachine;
  // Blocks; may be called on any thread. Reports each schedule that is better than all before, and
  // returns the best one, even if it is stopped.
  std::function<Result<FoundSchedule>(const ScheduleRequest &, std::stop_token,
                                      const job::ProgressCallback &, const Found &better)>
      run;
  // Predicts a schedule. An illegal schedule is refused with the text of the violated rule. This
  // function and those below block and may be called on any thread.
  std::function<Result<FoundSchedule>(const schedule::Schedule &, const std::string &machine)>
      predict;
  // The same for a schedule that was read. A manual one is its author's, so what the rules doubt
  // of it is a remark.
  std::function<Result<FoundSchedule>(const document::SourcedSchedule &,
                                      const std::string &machine)>
      predictSourced;
  // The changes that a user may make to a stage, or to the whole schedule if no stage is given.
  std::function<Status(const schedule::Schedule &, std::optional<pipeline::StageId>,
                       const std::string &machine, std::stop_token,
                       const document::ChoicesCallback &)>
      choices;
  // The values of a column that several stages can have at once, found as by
  // document::sharedChoices.
  std::function<Status(const schedule::Schedule &, const std::vector<pipeline::StageId> &,
                       schedule::DecisionColumn, const std::string &machine, std::stop_token,
                       const document::ChoicesCallback &)>
      sharedChoices;
  // The possible meanings of a text that the user typed as a value of a stage, or of the whole
  // schedule if no stage is given. With several stages, only values that all of them can have.
  std::function<Result<document::TypedChoices>(
      const schedule::Schedule &, const std::vector<pipeline::StageId> &,
      std::optional<schedule::DecisionColumn>, const std::string &text, const std::string &machine,
      std::stop_token)>
      typed;
  // The other places where a stage could be computed, found as by document::movesOf.
  std::function<Status(const schedule::Schedule &, pipeline::StageId, const std::string &machine,
                       std::stop_token, const document::MovesCallback &)>
      moves;
  // The sizes that an edge of a kernel's tile may have, found as by footprint::tileSizes.
  std::function<Status(const schedule::Schedule &, const footprint::TileEdge &,
                       const std::string &machine, std::stop_token,
                       const std::function<void(Tile)> &)>
      tiles;
};

ScheduleService scheduleService(const host::ToolPaths &tools);

} // namespace tessera::views

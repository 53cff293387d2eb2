// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/text/subject.h"
#include "engine/pipeline/pipeline.h"

#include <QString>

#include <cstdint>

namespace tessera::views {

// Extern: a function outside of Halide computes the stage.
enum class StageKind : std::uint8_t { Input, Scalar, Pure, Update, Reduction, Extern };
QString kindText(StageKind kind);

// The numbers in one row of the stage list and in the header of the details panel.
struct StageSummary {
  Subject subject;
  QString name;
  StageKind kind = StageKind::Pure;
  bool isOutput = false;
  QString type;                 // "uint16", "(float32, float32)"
  QString extents;              // "1536×2560×3"; "?" where there is no estimate
  std::int64_t points = 0;      // evaluations for the estimated sizes; 0: not known
  std::uint64_t operations = 0; // for one evaluation, without loads
  std::uint64_t loads = 0;      // for one evaluation
  std::int64_t bytes = 0;       // size of the func's or input's whole region; 0: not known
};

StageSummary summarize(const pipeline::Pipeline &pipeline, Subject subject);

QString boxText(const pipeline::Box &box);
QString bytesText(std::int64_t bytes); // "7.5 MiB"
QString countText(std::int64_t count); // with grouped digits, as the locale wants

} // namespace tessera::views

// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/flows/abilities.h"

#include "views/flows/measure_flow.h"
#include "views/text/stage_summary.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace tessera::views {

namespace {

using State = Ability::State;
using Remedy = Ability::Remedy;
using host::ToolSurvey;

constexpr std::chrono::minutes kLookAgain{1};
// In bytes. With less free space the disk is soon full: a bundle of a hundred stages with its
// reference takes a few dozen MiB.
constexpr std::uint64_t kLittleRoom = std::uint64_t(256) << 20;

QString crashText() {
  return Abilities::tr("The worker crashed or had to be stopped three times in ten minutes.");
}

Ability gpu(const MeasureFlow &measure, const CrashLadder &ladder) {
  Ability gpu{QStringLiteral("gpu"),
              Abilities::tr("Measuring"),
              State::Works,
              measure.where(),
              {},
              {},
              {},
              {}};
  const QString &host = measure.hosts().chosen();
  gpu.still = Abilities::tr("Scheduling, predicting, compiling and verifying need no GPU.");
  if (!ladder.mayMeasure()) {
    gpu.state = State::Off;
    gpu.brief = Abilities::tr("Measuring is off");
    gpu.is = ladder.mayCompile()
                 ? crashText()
                 : Abilities::tr("Measuring needs compiling, and compiling is switched off.");
    gpu.advice =
        Abilities::tr("Turn measuring on to try again; candidates that crashed stay quarantined.");
    gpu.remedy = Remedy::ClimbBack;
  } else if (!measure.noGpu().isEmpty()) {
    gpu.state = State::Missing;
    gpu.brief = host.isEmpty() ? Abilities::tr("No GPU") : Abilities::tr("No GPU on %1").arg(host);
    gpu.is = measure.noGpu();
    gpu.advice = host.isEmpty()
                     ? Abilities::tr("Install NVIDIA's driver, or measure on another host: add it "
                                     "on the Hosts page of the Pipeline dock.")
                     : Abilities::tr("Try again, or choose another host in the Pipeline dock.");
    gpu.remedy = Remedy::LookForGpu;
  } else if (!ladder.mayCount()) {
    gpu.state = State::Off;
    gpu.brief = Abilities::tr("Counting is off");
    gpu.is = Abilities::tr("Reading hardware counters with NVIDIA's profiler crashed the worker "
                           "three times in ten minutes.");
    gpu.still = Abilities::tr("Times are still measured.");
    gpu.advice = Abilities::tr("Turn counting on to try again.");
    gpu.remedy = Remedy::ClimbBack;
  } else if (!measure.hasGpu()) {
    gpu.state = State::Unknown;
    gpu.brief = measure.isLookingForGpu() ? Abilities::tr("Looking for a GPU")
                : host.isEmpty()          ? Abilities::tr("GPU not checked yet")
                                          : Abilities::tr("%1 not tested yet").arg(host);
    gpu.is = measure.isLookingForGpu() ? Abilities::tr("Looking for a GPU.")
             : host.isEmpty()
                 ? Abilities::tr("Tessera looks for a GPU when a pipeline is open.")
                 : Abilities::tr("Tessera will look for a GPU on %1 at the first measurement.")
                       .arg(host);
  }
  return gpu;
}

Ability compiling(const ToolSurvey &survey, const CrashLadder &ladder) {
  Ability all{QStringLiteral("halide"),
              Abilities::tr("Opening, compiling and verifying"),
              State::Works,
              Abilities::tr("Halide's worker was found."),
              {},
              {},
              {},
              {}};
  all.still = Abilities::tr("Documents can be opened, and open pipelines can be scheduled, edited, "
                            "predicted and exported.");
  if (!survey.hasHalideWorker) {
    all.state = State::Off;
    all.brief = Abilities::tr("No Halide");
    all.is = Abilities::tr("tessera-halide is missing.");
    all.advice = Abilities::tr("Install Tessera again.");
    all.remedy = Remedy::ShowTools;
  } else if (!ladder.mayCompile()) {
    all.state = State::Off;
    all.brief = Abilities::tr("Compiling is off");
    all.is = crashText();
    all.advice = Abilities::tr("Turn compiling on to try again.");
    all.remedy = Remedy::ClimbBack;
  }
  return all;
}

struct Wanted { // something that is either there or not, without a state between
  bool isThere = true;
  const char *id = nullptr;
  QString title, is, brief, isNot, still, advice;
};

Ability ability(const Wanted &wanted) {
  Ability made{QString::fromLatin1(wanted.id),
               wanted.title,
               wanted.isThere ? State::Works : State::Missing,
               wanted.isThere ? wanted.is : wanted.isNot,
               wanted.brief,
               wanted.still,
               wanted.advice,
               wanted.isThere ? Remedy::None : Remedy::ShowTools};
  return made;
}

std::vector<Ability> tools(const ToolSurvey &survey) {
  return {
      ability({survey.hasAssembler, "assembler", Abilities::tr("Registers and spills"),
               Abilities::tr("ptxas was found."), Abilities::tr("No ptxas"),
               Abilities::tr("ptxas was not found."),
               Abilities::tr("Registers are estimated by the cost model, and marked as estimates."),
               Abilities::tr("Install NVIDIA's CUDA toolkit, or set its folder.")}),
      ability({survey.hasDisassembler, "disassembler", Abilities::tr("Machine code"),
               Abilities::tr("A disassembler was found."), Abilities::tr("No machine code"),
               Abilities::tr("Neither nvdisasm nor cuobjdump was found."),
               Abilities::tr("Loops and PTX are still shown."),
               Abilities::tr("Install NVIDIA's CUDA toolkit, or set its folder.")}),
      ability({survey.hasCompiler, "compiler", Abilities::tr("Generators' sources"),
               Abilities::tr("A C++ compiler was found."), Abilities::tr("No C++ compiler"),
               Abilities::tr("No C++ compiler was found."),
               Abilities::tr("Pipelines, built generators and documents can be opened."),
               Abilities::tr("Install g++ or clang++, or set which compiler to use.")}),
      ability({survey.hasSandbox, "sandbox", Abilities::tr("Running generators"),
               Abilities::tr("bubblewrap isolates generators from everything else."),
               Abilities::tr("No sandbox"),
               Abilities::tr("bwrap was not found, and generators run only inside it."),
               Abilities::tr("Serialized pipelines and documents can be opened."),
               Abilities::tr("Install bubblewrap.")}),
      ability({survey.hasLayoutWorker, "layout", Abilities::tr("Layout by Graphviz"),
               Abilities::tr("The layout worker was found."), Abilities::tr("No Graphviz"),
               Abilities::tr("tessera-layout is missing."),
               Abilities::tr("The DAG has a plain layout."),
               Abilities::tr("Install Tessera again.")}),
  };
}

Ability disk(const ToolSurvey &survey) {
  const bool hasState = survey.state.isWritable;
  const ToolSurvey::Folder &worst =
      !hasState || (survey.cache.isWritable && survey.state.freeBytes < survey.cache.freeBytes)
          ? survey.state
          : survey.cache;
  const QString path = QString::fromStdString(worst.path);
  Ability disk{QStringLiteral("disk"),
               Abilities::tr("Disk"),
               State::Works,
               Abilities::tr("%1 are free for bundles and recovery.")
                   .arg(bytesText(qint64(worst.freeBytes))),
               {},
               Abilities::tr("Open documents stay in memory; saving to another disk still works."),
               {},
               {}};
  if (!worst.isWritable) {
    disk.state = State::Off;
    disk.brief = Abilities::tr("Disk is read-only");
    disk.is = Abilities::tr("%1 cannot be written.").arg(path);
    disk.advice = hasState
                      ? Abilities::tr("Make the folder writable: compiling needs it.")
                      : Abilities::tr("Make the folder writable: a crash would lose unsaved work.");
  } else if (worst.freeBytes < kLittleRoom) {
    disk.state = State::Off;
    disk.brief = Abilities::tr("Disk is nearly full");
    disk.is = Abilities::tr("%1 are free in %2.").arg(bytesText(qint64(worst.freeBytes)), path);
    disk.advice = Abilities::tr("Free some space: compiling, measuring and recovery need it.");
  }
  return disk;
}

} // namespace

Abilities::Abilities(ToolService tools, ToolChoices used, Bridge &bridge, MeasureFlow &measure,
                     CrashLadder &ladder, QObject *parent)
    : QObject(parent), m_tools(std::move(tools)), m_used(std::move(used)), m_bridge(bridge),
      m_measure(measure), m_ladder(ladder) {
  connect(&m_measure, &MeasureFlow::changed, this, &Abilities::refresh);
  connect(&m_ladder, &CrashLadder::changed, this, &Abilities::refresh);
  m_again.setInterval(kLookAgain);
  connect(&m_again, &QTimer::timeout, this, &Abilities::look);
  m_again.start();
  refresh();
  look();
}

const Ability *Abilities::find(const QString &id) const {
  const auto at = std::ranges::find(m_all, id, &Ability::id);
  return at == m_all.end() ? nullptr : &*at;
}

const Ability *Abilities::worst() const {
  for (const State state : {State::Off, State::Missing, State::Unknown})
    if (const auto at = std::ranges::find(m_all, state, &Ability::state); at != m_all.end())
      return &*at;
  return nullptr;
}

int Abilities::limits() const { return int(std::ranges::count_if(m_all, &Ability::limits)); }

void Abilities::look() {
  if (!m_tools.survey) return;
  m_bridge.run<ToolSurvey>(
      QStringLiteral("survey"), {},
      [survey = m_tools.survey, used = m_used](const job::JobContext &) -> Result<ToolSurvey> {
        return survey(used);
      },
      this,
      [this](const Result<ToolSurvey> &found) {
        if (!found) return;
        m_survey = *found;
        refresh();
      });
}

void Abilities::refresh() {
  const ToolSurvey survey = m_survey.value_or(ToolSurvey{});
  std::vector<Ability> all{compiling(survey, m_ladder), gpu(m_measure, m_ladder)};
  if (m_survey) {
    std::ranges::move(tools(survey), std::back_inserter(all));
    all.push_back(disk(survey));
  }
  if (std::exchange(m_all, std::move(all)) != m_all) emit changed();
}

} // namespace tessera::views

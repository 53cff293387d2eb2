// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/abilities.h"

#include "views/models/measure_flow.h"
#include "views/models/stage_summary.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace tessera::views {

namespace {

using State = Ability::State;
using Remedy = Ability::Remedy;
using session::ToolSurvey;

constexpr std::chrono::minutes kLookAgain{1};
// Less is soon gone: a bundle of a hundred stages with its reference is some dozen MiB.
constexpr std::uint64_t kLittleRoom = std::uint64_t(256) << 20;

QString tr(const char *text) { return Abilities::tr(text); }

QString crashText() {
  return tr("Its worker died, or had to be ended, three times in ten minutes.");
}

Ability gpu(const MeasureFlow &measure, const CrashLadder &ladder) {
  Ability gpu{
      QStringLiteral("gpu"), tr("Measuring"), State::Works, measure.where(), {}, {}, {}, {}};
  const QString &host = measure.hosts().chosen();
  gpu.still = tr("Scheduling, predicting, compiling and verifying need no GPU.");
  if (!ladder.mayMeasure()) {
    gpu.state = State::Off;
    gpu.brief = tr("Measuring is off");
    gpu.is = ladder.mayCompile() ? crashText() : tr("It needs compiling, which is off.");
    gpu.advice = tr("Climb back to try again; candidates that crashed stay quarantined.");
    gpu.remedy = Remedy::ClimbBack;
  } else if (!measure.noGpu().isEmpty()) {
    gpu.state = State::Missing;
    gpu.brief = host.isEmpty() ? tr("No GPU") : tr("No GPU at %1").arg(host);
    gpu.is = measure.noGpu();
    gpu.advice = host.isEmpty() ? tr("Install NVIDIA's driver, or measure at another host: the "
                                     "Pipeline dock has a page for them.")
                                : tr("Try again, or choose another host in the Pipeline dock.");
    gpu.remedy = Remedy::LookForGpu;
  } else if (!ladder.mayCount()) {
    gpu.state = State::Off;
    gpu.brief = tr("Counting is off");
    gpu.is = tr("Counting what kernels do took its worker with it three times in ten minutes.");
    gpu.still = tr("Times are measured as before.");
    gpu.advice = tr("Climb back to try again.");
    gpu.remedy = Remedy::ClimbBack;
  } else if (!measure.hasGpu()) {
    gpu.state = State::Unknown;
    gpu.is = measure.isLookingForGpu() ? tr("Looking for a GPU.")
             : host.isEmpty()          ? tr("A GPU is looked for when a pipeline is open.")
                                       : tr("%1 is asked with the first measurement.").arg(host);
  }
  return gpu;
}

Ability compiling(const ToolSurvey &survey, const CrashLadder &ladder) {
  Ability all{QStringLiteral("halide"),
              tr("Opening, compiling and verifying"),
              State::Works,
              tr("Halide's worker is there."),
              {},
              {},
              {},
              {}};
  all.still = tr("Documents open, and what is open is searched, edited, predicted and exported.");
  if (!survey.hasHalideWorker) {
    all.state = State::Off;
    all.brief = tr("No Halide");
    all.is = tr("tessera-halide is missing.");
    all.advice = tr("Install Tessera again.");
    all.remedy = Remedy::ShowTools;
  } else if (!ladder.mayCompile()) {
    all.state = State::Off;
    all.brief = tr("Compiling is off");
    all.is = crashText();
    all.advice = tr("Climb back to try again.");
    all.remedy = Remedy::ClimbBack;
  }
  return all;
}

struct Wanted { // what is there or not, and nothing between
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
      ability({survey.hasAssembler, "assembler", tr("Registers and spills"), tr("ptxas is there."),
               tr("No ptxas"), tr("ptxas was not found."),
               tr("Registers are estimated by our model, and marked so."),
               tr("Install NVIDIA's CUDA toolkit, or set its folder.")}),
      ability({survey.hasDisassembler, "disassembler", tr("Machine code"),
               tr("A disassembler is there."), tr("No machine code"),
               tr("Neither nvdisasm nor cuobjdump was found."), tr("Loops and PTX are shown."),
               tr("Install NVIDIA's CUDA toolkit, or set its folder.")}),
      ability({survey.hasCompiler, "compiler", tr("Generators' sources"),
               tr("A C++ compiler is there."), tr("No C++ compiler"),
               tr("No C++ compiler was found."),
               tr("Pipelines, generators that are built, and documents open."),
               tr("Install g++ or clang++, or set which one.")}),
      ability({survey.hasSandbox, "sandbox", tr("Running generators"),
               tr("bubblewrap keeps them from everything else."), tr("No sandbox"),
               tr("bwrap was not found, and generators run only inside of it."),
               tr("Serialized pipelines and documents open."), tr("Install bubblewrap.")}),
      ability({survey.hasLayoutWorker, "layout", tr("Layout by Graphviz"),
               tr("Its worker is there."), tr("No Graphviz"), tr("tessera-layout is missing."),
               tr("The DAG has a plain layout."), tr("Install Tessera again.")}),
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
               tr("Disk"),
               State::Works,
               tr("%1 are free for bundles and recovery.").arg(bytesText(qint64(worst.freeBytes))),
               {},
               tr("What is open stays in memory; saving to another disk works."),
               {},
               {}};
  if (!worst.isWritable) {
    disk.state = State::Off;
    disk.brief = tr("Disk is read-only");
    disk.is = tr("%1 cannot be written.").arg(path);
    disk.advice = hasState ? tr("Give yourself the right to write there: compiling needs it.")
                           : tr("Give yourself the right to write there: a crash would lose what "
                                "is not saved.");
  } else if (worst.freeBytes < kLittleRoom) {
    disk.state = State::Off;
    disk.brief = tr("Disk is nearly full");
    disk.is = tr("%1 are free at %2.").arg(bytesText(qint64(worst.freeBytes)), path);
    disk.advice = tr("Make room: compiling, measuring and recovery need it.");
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
  for (const State state : {State::Off, State::Missing})
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

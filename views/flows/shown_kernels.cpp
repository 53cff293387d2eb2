// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/flows/shown_kernels.h"

#include "engine/measure/run_profile.h"

#include <algorithm>
#include <utility>

namespace tessera::views {

namespace {
const QString kMachineFactsTag = QStringLiteral("machine facts");
} // namespace

ShownKernels::ShownKernels(KernelService service, Bridge &bridge, Selection &selection,
                           QObject *parent)
    : QObject(parent), m_service(std::move(service)), m_bridge(bridge), m_selection(selection) {
  connect(&m_selection, &Selection::changed, this, [this](Selection::Changes changes) {
    if (changes & Selection::ActiveChanged) emit currentChanged();
  });
}

void ShownKernels::setSchedule(ShownSchedulePtr shown, Stage stage) {
  if (!shown) {
    m_before = m_earlier = m_kept = nullptr;
  } else if (m_stage == Stage::Settled && m_shown && shown != m_shown) {
    m_earlier = std::exchange(m_before, m_shown);
  } else if (shown == m_before) {
    m_before = m_earlier; // a draft was given up: the schedule before it is shown again
  }
  m_stage = stage;
  if (shown != m_shown) m_compiled = nullptr;
  m_shown = std::move(shown);
  if (m_shown && (!m_facts || m_machine != m_shown->machine)) return load();
  publish();
}

void ShownKernels::settle() { m_stage = Stage::Settled; }

void ShownKernels::setCompiled(Compiled kernels) {
  m_compiled = std::move(kernels);
  emit changed();
}

void ShownKernels::setMeasured(std::vector<document::CandidatePtr> measured) {
  if (measured == m_allMeasured) return;
  m_allMeasured = std::move(measured);
  findMeasured();
  emit changed();
}

document::CandidatePtr ShownKernels::measuredOf(const ShownSchedule &shown) const {
  const schedule::Schedule &schedule = shown.found.schedule;
  const auto found = std::ranges::find_if(m_allMeasured, [&](const document::CandidatePtr &one) {
    return one->machine == shown.machine.toStdString() && one->schedule.base() == schedule.base() &&
           one->schedule == schedule;
  });
  return found == m_allMeasured.end() ? nullptr : *found;
}

void ShownKernels::findMeasured() {
  m_measured.clear();
  m_counted.clear();
  m_measurement = m_ready ? measuredOf(*m_ready) : nullptr;
  if (!m_measurement) return;
  std::vector<std::string> owners;
  for (const cost::Prediction::Kernel &kernel : m_ready->found.prediction.kernels)
    owners.push_back(m_ready->found.schedule.pipeline()->stageName(kernel.load.stage));
  m_measured = measure::measuredSeconds(*m_measurement->measurement, owners);
  m_counted = measure::countedKernels(*m_measurement->measurement, owners);
}

const bench::KernelCounters *ShownKernels::counted(int number) const {
  const auto index = static_cast<std::size_t>(number);
  return index < m_counted.size() ? m_counted[index] : nullptr;
}

std::optional<double> ShownKernels::measured(int number) const {
  const auto index = static_cast<std::size_t>(number);
  return index < m_measured.size() ? m_measured[index] : std::nullopt;
}

const measure::KeptMeasurement *ShownKernels::measurement() const {
  return m_measured.empty() ? nullptr : &*m_measurement->measurement;
}

void ShownKernels::forgetMachine(const QString &machine) {
  if (m_machine == machine) m_machine.clear();
}

void ShownKernels::setPinned(std::vector<ComparedSchedule> pinned) {
  m_pinned = std::move(pinned);
  emit changed();
}

void ShownKernels::compareWithShown() {
  m_kept = m_shown;
  emit changed();
}

void ShownKernels::compareWithBefore() {
  m_kept = nullptr;
  emit changed();
}

// If a newer schedule arrives while the machine is being read, the newer one is published.
void ShownKernels::load() {
  m_ready = nullptr;
  m_facts = nullptr;
  m_measured.clear();
  m_counted.clear();
  emit changed(); // receivers must not ask for kernels until the machine is known
  m_bridge.run<MachineFacts>(
      kMachineFactsTag, {},
      [read = m_service.machine,
       name = m_shown->machine.toStdString()](const job::JobContext &) -> Result<MachineFacts> {
        if (!read) return Error{ErrorCode::System, "nothing is known about '" + name + "'", {}};
        return read(name);
      },
      this,
      [this, name = m_shown->machine](Result<MachineFacts> facts) {
        m_error = facts ? std::nullopt : std::optional(facts.error());
        m_machine = name;
        m_facts = facts ? std::make_shared<const MachineFacts>(std::move(*facts)) : nullptr;
        publish();
      });
}

void ShownKernels::publish() {
  m_ready = m_facts ? m_shown : nullptr;
  findMeasured();
  emit changed();
}

// The shown schedule is left out, even if it is also kept or pinned.
std::vector<ComparedSchedule> ShownKernels::compared() const {
  std::vector<ComparedSchedule> all;
  const auto add = [&](const ComparedSchedule &wanted) {
    const ShownSchedulePtr &schedule = wanted.schedule;
    const bool isLike = schedule && m_ready && schedule != m_ready &&
                        schedule->machine == m_ready->machine &&
                        schedule->found.schedule.base() == m_ready->found.schedule.base();
    if (!isLike) return;
    all.push_back(wanted);
    all.back().measured = measuredOf(*schedule);
  };
  add({tr("kept"), {}, m_kept, nullptr});
  for (const ComparedSchedule &pinned : m_pinned)
    if (m_ready && pinned.schedule->found.schedule != m_ready->found.schedule) add(pinned);
  if (all.empty() && !m_kept) add({tr("before"), {}, m_before, nullptr});
  return all;
}

ShownSchedulePtr ShownKernels::before() const {
  const std::vector<ComparedSchedule> all = compared();
  return all.empty() ? nullptr : all.front().schedule;
}

int ShownKernels::count() const {
  return m_ready ? int(m_ready->found.prediction.kernels.size()) : 0;
}

const cost::Prediction::Kernel &ShownKernels::kernel(int number) const {
  return m_ready->found.prediction.kernels[static_cast<std::size_t>(number)];
}

QString ShownKernels::name(int number) const {
  return QString::fromStdString(
      m_ready->found.schedule.pipeline()->stageName(kernel(number).load.stage));
}

std::optional<report::AssemblerReport> ShownKernels::assembled(int number) const {
  if (!m_compiled) return std::nullopt;
  return cost::assembledOf(*m_ready->found.schedule.pipeline(), kernel(number).load, *m_compiled);
}

std::optional<int> ShownKernels::kernelOf(Subject subject) const {
  const int number = m_ready ? m_ready->placeOf(subject).kernel : 0;
  return number > 0 ? std::optional(number - 1) : std::nullopt;
}

std::vector<Subject> ShownKernels::subjects(int number) const {
  std::vector<Subject> found;
  for (std::uint32_t i = 0; m_ready && i < m_ready->places.size(); ++i) {
    if (m_ready->places[i].kernel != number + 1) continue;
    found.push_back(Subject::stage(pipeline::StageId{i}));
    if (m_ready->places[i].ownsBlocks) std::swap(found.front(), found.back());
  }
  return found;
}

int ShownKernels::current() const {
  if (const auto active = m_selection.active())
    if (const auto number = kernelOf(*active)) return *number;
  if (!m_ready) return -1;
  const auto &kernels = m_ready->found.prediction.kernels;
  const auto longest = std::ranges::max_element(
      kernels, {}, [](const cost::Prediction::Kernel &kernel) { return kernel.time.seconds; });
  return longest == kernels.end() ? -1 : int(longest - kernels.begin());
}

void ShownKernels::select(int number) {
  std::vector<Subject> wanted = subjects(number);
  if (wanted.empty()) return; // the kernel computes only derived stages
  const Subject owner = wanted.front();
  m_selection.selectAll(std::move(wanted), owner);
}

void ShownKernels::hover(std::optional<int> number) {
  const std::vector<Subject> of = number ? subjects(*number) : std::vector<Subject>();
  m_selection.hover(of.empty() ? std::nullopt : std::optional(of.front()));
}

bool ShownKernels::isChosen() const {
  const auto active = m_selection.active();
  return active && kernelOf(*active);
}

} // namespace tessera::views

// SPDX-License-Identifier: MIT
#include "engine/record/process_lines.h"

#include "engine/record/words.h"

#include <algorithm>

namespace tessera::record {
namespace {

using job::ProcessEvent;
using Kind = ProcessEvent::Kind;
using Fields = std::vector<Field>;

void addEnd(Fields &fields, const ProcessEvent &event) {
  if (event.isKilled) fields.push_back({"killed", true});
  if (event.end && event.end->signalled) {
    fields.push_back({"signal", signalWord(event.end->value)});
    fields.push_back({"signal_number", event.end->value});
  } else if (event.end) {
    fields.push_back({"exit_code", event.end->value});
  }
}

// Logs how much a process has printed and which known word occurs in it. The text itself may
// contain user data, so it is not logged. For a process that continues, errorText is its error
// reply, and only a known word is logged.
void addLastWords(Fields &fields, const ProcessEvent &event) {
  if (event.errorText.empty()) return;
  const Word known = knownWordIn(event.errorText);
  const bool isGone = event.end || event.isKilled;
  if (isGone || known != Word("none")) fields.push_back({"said", known});
  if (!isGone) return;
  fields.push_back({"said_lines", std::ranges::count(event.errorText, '\n')});
  fields.push_back({"said_bytes", event.errorText.size()});
}

bool isInOrder(const ProcessEvent &event) {
  return !event.isKilled && (!event.end || *event.end == job::ProcessEnd{});
}

class Lines {
public:
  Lines(Record record, Word name) : m_record(std::move(record)), m_name(name) {}

  void operator()(const ProcessEvent &event) const {
    Fields fields{{"program", m_name}};
    if (event.isRemote) fields.push_back({"where", "elsewhere"});
    if (event.pid > 0) fields.push_back({"pid", event.pid});
    switch (event.kind) {
    case Kind::Started:
      return m_record.write(Level::Info, "process started", fields);
    case Kind::NotStarted:
      return m_record.write(Level::Error, "process not started", fields);
    case Kind::Greeted:
      fields.push_back({"version", Version(event.version)});
      return m_record.write(Level::Info, "worker greeted", fields);
    case Kind::Asked:
      fields.push_back({"request", requestWord(event.request)});
      return m_record.write(Level::Info, "request began", fields);
    case Kind::Answered:
      return answered(event, std::move(fields));
    case Kind::Left:
      return left(event, std::move(fields));
    }
  }

private:
  void answered(const ProcessEvent &event, Fields fields) const {
    fields.push_back({"request", requestWord(event.request)});
    fields.push_back({"outcome", wordOf(event.outcome)});
    fields.push_back({"ms", event.took.count()});
    if (event.outcome != Outcome::Ok && !event.phase.empty())
      fields.push_back({"phase", phaseWord(event.phase)});
    addEnd(fields, event);
    if (event.outcome != Outcome::Ok) addLastWords(fields, event);
    const bool isFine = event.outcome == Outcome::Ok || event.outcome == Outcome::Cancelled;
    const bool isOurs = errorCode(event.outcome) == ErrorCode::WorkerFailed;
    m_record.write(isFine   ? Level::Info
                   : isOurs ? Level::Error
                            : Level::Warning,
                   "request ended", fields);
  }

  void left(const ProcessEvent &event, Fields fields) const {
    fields.push_back({"ms", event.took.count()});
    addEnd(fields, event);
    if (!isInOrder(event)) addLastWords(fields, event);
    m_record.write(isInOrder(event) ? Level::Info : Level::Warning, "process ended", fields);
  }

  Record m_record;
  Word m_name;
};

} // namespace

std::function<void(const ProcessEvent &)> processLines(const Record &record, Word name) {
  if (!record) return {};
  return Lines(record, name);
}

} // namespace tessera::record

// SPDX-License-Identifier: MIT
#include "engine/record/record.h"

#include "engine/record/log_file.h"

#include <map>
#include <mutex>

namespace tessera::record {
namespace {

struct Value {
  std::string operator()(const Word &word) const { return quoted(word.text()); }
  std::string operator()(const Version &version) const { return quoted(version.text()); }
  std::string operator()(std::int64_t number) const { return std::to_string(number); }

  static std::string quoted(std::string_view text) {
    const bool isBare = text.find(' ') == std::string_view::npos;
    return isBare ? std::string(text) : '"' + std::string(text) + '"';
  }
};

} // namespace

struct Record::State {
  explicit State(LogPlace place) : file(std::move(place)) {}

  LogFile file;
  std::mutex mutex;
  std::map<std::string, std::int64_t> numbers; // file numbers by path
};

Record Record::open(LogPlace place) {
  Record record;
  if (place.folder.empty()) return record;
  record.m_state = std::make_shared<State>(std::move(place));
  return record;
}

void Record::write(Level level, Word what, const std::vector<Field> &fields) const {
  if (!m_state) return;
  std::string line(what.text());
  for (const Field &field : fields)
    line.append(" ").append(field.key.text()).append("=").append(std::visit(Value(), field.value));
  m_state->file.write(level, line);
}

std::int64_t Record::numberOf(const std::string &path) const {
  if (!m_state) return 0;
  const std::lock_guard lock(m_state->mutex);
  return m_state->numbers.try_emplace(path, std::int64_t(m_state->numbers.size()) + 1)
      .first->second;
}

void Record::onTrouble(std::function<void(const Error &)> listener) const {
  if (m_state) m_state->file.onTrouble(std::move(listener));
}

void Record::forgetTrouble() const { onTrouble({}); }

std::string Record::folder() const { return m_state ? m_state->file.place().folder : ""; }

std::string Record::file() const { return m_state ? m_state->file.path() : ""; }

} // namespace tessera::record

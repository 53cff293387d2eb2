// SPDX-License-Identifier: MIT
#include "engine/tune/tune_store.h"

#include <utility>

namespace tessera::tune {

namespace {

constexpr int kStoreVersion = 1;

constexpr const char *kTables[] = {
    "CREATE TABLE IF NOT EXISTS contexts(id INTEGER PRIMARY KEY, pipeline TEXT NOT NULL,"
    " pipeline_sha256 TEXT NOT NULL, estimates TEXT NOT NULL, machine TEXT NOT NULL,"
    " device TEXT NOT NULL, UNIQUE(pipeline_sha256, estimates, machine, device))",
    "CREATE TABLE IF NOT EXISTS candidates(context INTEGER NOT NULL REFERENCES contexts(id),"
    " hash TEXT NOT NULL, origin TEXT NOT NULL, parent TEXT, schedule TEXT NOT NULL,"
    " features TEXT NOT NULL, predicted_seconds REAL NOT NULL, attempts INTEGER NOT NULL DEFAULT 0,"
    " outcome TEXT, message TEXT NOT NULL DEFAULT '', compile_seconds REAL NOT NULL DEFAULT 0,"
    " report TEXT NOT NULL DEFAULT '', measurement TEXT NOT NULL DEFAULT '', seconds REAL,"
    " PRIMARY KEY(context, hash)) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS kernels(device TEXT NOT NULL, content TEXT NOT NULL, outcome TEXT "
    "NOT NULL,"
    " seconds REAL, message TEXT NOT NULL, context INTEGER NOT NULL REFERENCES contexts(id),"
    " candidate TEXT NOT NULL, func TEXT NOT NULL, compile_seconds REAL NOT NULL,"
    " report TEXT NOT NULL, measurement TEXT NOT NULL, PRIMARY KEY(device, content)) WITHOUT "
    "ROWID"};

// Stored as text: a hash has 64 bits without a sign, and SQLite's integers have a sign.
std::string keyOf(std::uint64_t hash) { return std::to_string(hash); }
std::uint64_t hashOf(const std::string &key) { return std::strtoull(key.c_str(), nullptr, 10); }

Status checkVersion(host::Database &database, const std::string &path) {
  auto asked = database.prepare("PRAGMA user_version");
  if (!asked) return asked.error();
  const std::int64_t version = asked->next() ? asked->integer(0) : 0;
  if (const Status done = asked->finish(); !done) return done;
  if (version > kStoreVersion)
    return Error{ErrorCode::InputRefused,
                 "'" + path + "' was written by a newer program (version " +
                     std::to_string(version) + ").",
                 "Name another file with --store."};
  for (const char *sql : kTables)
    if (const Status done = database.run(sql); !done) return done;
  return database.run("PRAGMA user_version=" + std::to_string(kStoreVersion));
}

TunedCandidate candidateIn(const host::SqlStatement &row) {
  TunedCandidate candidate;
  candidate.hash = hashOf(row.text(0));
  candidate.origin = row.text(1);
  if (!row.isNull(2)) candidate.parent = hashOf(row.text(2));
  candidate.schedule = row.text(3);
  candidate.features = row.text(4);
  candidate.predictedSeconds = row.real(5);
  candidate.attempts = static_cast<int>(row.integer(6));
  if (!row.isNull(7)) candidate.outcome = outcomeFromName(row.text(7));
  candidate.message = row.text(8);
  candidate.compileSeconds = row.real(9);
  candidate.report = row.text(10);
  candidate.measurement = row.text(11);
  if (!row.isNull(12)) candidate.seconds = row.real(12);
  return candidate;
}

} // namespace

Result<std::unique_ptr<TuneStore>> TuneStore::open(const std::string &path) {
  auto database = host::Database::open(path);
  if (!database) return database.error();
  if (const Status known = checkVersion(*database, path); !known) return known.error();
  return std::unique_ptr<TuneStore>(new TuneStore(std::move(*database)));
}

Result<std::int64_t> TuneStore::contextId(const TuneContext &context) {
  const std::lock_guard lock(m_mutex);
  auto insert = m_database.prepare(
      "INSERT OR IGNORE INTO contexts(pipeline, pipeline_sha256, estimates, machine, device)"
      " VALUES(?, ?, ?, ?, ?)");
  if (!insert) return insert.error();
  *insert << context.pipeline << context.pipelineSha256 << context.estimates << context.machine
          << context.device;
  if (const Status done = insert->finish(); !done) return done.error();
  auto select = m_database.prepare("SELECT id FROM contexts WHERE pipeline_sha256=? AND"
                                   " estimates=? AND machine=? AND device=?");
  if (!select) return select.error();
  *select << context.pipelineSha256 << context.estimates << context.machine << context.device;
  const std::int64_t id = select->next() ? select->integer(0) : 0;
  if (const Status done = select->finish(); !done) return done.error();
  return id;
}

Result<std::vector<StoredContext>> TuneStore::contexts() const {
  const std::lock_guard lock(m_mutex);
  auto select = m_database.prepare("SELECT id, pipeline, pipeline_sha256, estimates, machine,"
                                   " device FROM contexts ORDER BY id");
  if (!select) return select.error();
  std::vector<StoredContext> all;
  while (select->next())
    all.push_back(
        {select->integer(0),
         {select->text(1), select->text(2), select->text(3), select->text(4), select->text(5)}});
  if (const Status done = select->finish(); !done) return done.error();
  return all;
}

Result<std::vector<TunedCandidate>> TuneStore::candidates(std::int64_t context) const {
  const std::lock_guard lock(m_mutex);
  auto select = m_database.prepare(
      "SELECT hash, origin, parent, schedule, features, predicted_seconds, attempts, outcome,"
      " message, compile_seconds, report, measurement, seconds FROM candidates WHERE context=?"
      " ORDER BY hash");
  if (!select) return select.error();
  *select << context;
  std::vector<TunedCandidate> all;
  while (select->next())
    all.push_back(candidateIn(*select));
  if (const Status done = select->finish(); !done) return done.error();
  return all;
}

Status TuneStore::propose(std::int64_t context, const TunedCandidate &candidate) {
  const std::lock_guard lock(m_mutex);
  auto insert = m_database.prepare(
      "INSERT OR IGNORE INTO candidates(context, hash, origin, parent, schedule, features,"
      " predicted_seconds) VALUES(?, ?, ?, ?, ?, ?, ?)");
  if (!insert) return insert.error();
  const auto parent =
      candidate.parent ? std::optional(keyOf(*candidate.parent)) : std::optional<std::string>();
  *insert << context << keyOf(candidate.hash) << candidate.origin << parent << candidate.schedule
          << candidate.features << candidate.predictedSeconds;
  return insert->finish();
}

Status TuneStore::beginMeasuring(std::int64_t context, std::uint64_t hash) {
  return addAttempts(context, hash, 1);
}

Status TuneStore::undoMeasuring(std::int64_t context, std::uint64_t hash) {
  return addAttempts(context, hash, -1);
}

Status TuneStore::addAttempts(std::int64_t context, std::uint64_t hash, std::int64_t attempts) {
  const std::lock_guard lock(m_mutex);
  auto update = m_database.prepare("UPDATE candidates SET attempts=attempts+? WHERE context=? AND"
                                   " hash=? AND outcome IS NULL");
  if (!update) return update.error();
  *update << attempts << context << keyOf(hash);
  return update->finish();
}

Result<std::vector<TimedKernel>> TuneStore::kernels(std::int64_t context) const {
  const std::lock_guard lock(m_mutex);
  auto select = m_database.prepare(
      "SELECT content, outcome, seconds, message, candidate, func, compile_seconds FROM kernels"
      " WHERE device=(SELECT device FROM contexts WHERE id=?) ORDER BY content");
  if (!select) return select.error();
  *select << context;
  std::vector<TimedKernel> all;
  while (select->next()) {
    TimedKernel &kernel = all.emplace_back();
    kernel.content = select->text(0);
    kernel.outcome = outcomeFromName(select->text(1)).value_or(Outcome::ProtocolError);
    if (!select->isNull(2)) kernel.seconds = select->real(2);
    kernel.message = select->text(3);
    kernel.candidate = hashOf(select->text(4));
    kernel.func = select->text(5);
    kernel.compileSeconds = select->real(6);
  }
  if (const Status done = select->finish(); !done) return done.error();
  return all;
}

Status TuneStore::addKernel(std::int64_t context, const TimedKernel &kernel) {
  const std::lock_guard lock(m_mutex);
  auto insert =
      m_database.prepare("INSERT OR IGNORE INTO kernels(device, content, outcome, seconds, "
                         "message, context, candidate,"
                         " func, compile_seconds, report, measurement)"
                         " SELECT device, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM contexts WHERE id=?");
  if (!insert) return insert.error();
  *insert << kernel.content << std::string(name(kernel.outcome)) << kernel.seconds << kernel.message
          << context << keyOf(kernel.candidate) << kernel.func << kernel.compileSeconds
          << kernel.report << kernel.measurement << context;
  return insert->finish();
}

Result<bool> TuneStore::finish(std::int64_t context, const TunedCandidate &candidate) {
  const std::lock_guard lock(m_mutex);
  auto update = m_database.prepare(
      "UPDATE candidates SET outcome=?, message=?, compile_seconds=?, report=?, measurement=?,"
      " seconds=? WHERE context=? AND hash=? AND outcome IS NULL");
  if (!update) return update.error();
  const auto outcome = candidate.outcome ? std::optional(std::string(name(*candidate.outcome)))
                                         : std::optional<std::string>();
  *update << outcome << candidate.message << candidate.compileSeconds << candidate.report
          << candidate.measurement << candidate.seconds << context << keyOf(candidate.hash);
  if (const Status done = update->finish(); !done) return done.error();
  return m_database.changes() == 1;
}

} // namespace tessera::tune

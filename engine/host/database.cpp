// SPDX-License-Identifier: MIT
#include "engine/host/database.h"

#include "engine/file/destination.h"

#include <filesystem>
#include <sqlite3.h>
#include <utility>

namespace tessera::host {

namespace {

constexpr int kBusyMilliseconds = 10'000; // how long to wait for another process that writes

Error failure(sqlite3 *database, const std::string &path) {
  return {ErrorCode::System, "'" + path + "': SQLite says: " + sqlite3_errmsg(database),
          "Name another file with --store."};
}

} // namespace

SqlStatement::SqlStatement(sqlite3 *database, sqlite3_stmt *statement, std::string path)
    : m_database(database), m_statement(statement), m_path(std::move(path)) {}

SqlStatement::SqlStatement(SqlStatement &&other) noexcept
    : m_database(other.m_database), m_statement(std::exchange(other.m_statement, nullptr)),
      m_path(std::move(other.m_path)), m_bound(other.m_bound), m_isDone(other.m_isDone),
      m_hasFailed(other.m_hasFailed) {}

SqlStatement::~SqlStatement() { sqlite3_finalize(m_statement); }

SqlStatement &SqlStatement::operator<<(std::int64_t value) {
  m_hasFailed |= sqlite3_bind_int64(m_statement, ++m_bound, value) != SQLITE_OK;
  return *this;
}

SqlStatement &SqlStatement::operator<<(double value) {
  m_hasFailed |= sqlite3_bind_double(m_statement, ++m_bound, value) != SQLITE_OK;
  return *this;
}

SqlStatement &SqlStatement::operator<<(const std::string &value) {
  m_hasFailed |= sqlite3_bind_text64(m_statement, ++m_bound, value.data(), value.size(),
                                     SQLITE_TRANSIENT, SQLITE_UTF8) != SQLITE_OK;
  return *this;
}

SqlStatement &SqlStatement::bindNull() {
  m_hasFailed |= sqlite3_bind_null(m_statement, ++m_bound) != SQLITE_OK;
  return *this;
}

bool SqlStatement::next() {
  if (m_isDone || m_hasFailed) return false;
  const int code = sqlite3_step(m_statement);
  m_isDone = code == SQLITE_DONE;
  m_hasFailed = code != SQLITE_DONE && code != SQLITE_ROW;
  return code == SQLITE_ROW;
}

Status SqlStatement::finish() {
  while (next()) {
  }
  if (m_hasFailed) return failure(m_database, m_path);
  return Done{};
}

bool SqlStatement::isNull(int column) const {
  return sqlite3_column_type(m_statement, column) == SQLITE_NULL;
}

std::int64_t SqlStatement::integer(int column) const {
  return sqlite3_column_int64(m_statement, column);
}

double SqlStatement::real(int column) const { return sqlite3_column_double(m_statement, column); }

std::string SqlStatement::text(int column) const {
  const auto *bytes = reinterpret_cast<const char *>(sqlite3_column_text(m_statement, column));
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(m_statement, column));
  return bytes ? std::string(bytes, size) : std::string();
}

void Database::Close::operator()(sqlite3 *database) const { sqlite3_close_v2(database); }

Result<Database> Database::open(const std::string &path) {
  std::error_code ignored; // if this fails, SQLite reports that it cannot open the file
  if (const auto folder = std::filesystem::path(path).parent_path(); !folder.empty())
    std::filesystem::create_directories(folder, ignored);
  // SQLite would put its journal beside a device, too.
  const auto to = file::destinationOf(path);
  if (to && to->kind != file::Kind::Nothing && to->kind != file::Kind::PlainFile)
    return Error{ErrorCode::InputRefused, "'" + path + "' is not a plain file.",
                 "Name another file with --store."};
  sqlite3 *handle = nullptr;
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX;
  const int code = sqlite3_open_v2(path.c_str(), &handle, flags, nullptr);
  Database database(handle, path);
  if (code != SQLITE_OK) return failure(handle, path);
  sqlite3_busy_timeout(handle, kBusyMilliseconds);
  for (const char *sql : {"PRAGMA journal_mode=WAL", "PRAGMA synchronous=FULL"})
    if (const Status done = database.run(sql); !done) return done.error();
  return database;
}

Status Database::run(const std::string &sql) {
  auto statement = prepare(sql);
  if (!statement) return statement.error();
  return statement->finish();
}

Result<SqlStatement> Database::prepare(const std::string &sql) const {
  sqlite3_stmt *statement = nullptr;
  const int code = sqlite3_prepare_v2(m_database.get(), sql.c_str(), static_cast<int>(sql.size()),
                                      &statement, nullptr);
  if (code != SQLITE_OK) return failure(m_database.get(), m_path);
  return SqlStatement(m_database.get(), statement, m_path);
}

int Database::changes() const { return sqlite3_changes(m_database.get()); }

} // namespace tessera::host

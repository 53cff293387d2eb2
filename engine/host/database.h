// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

struct sqlite3;
struct sqlite3_stmt;

namespace tessera::host {

// One SQL statement. `<<` binds its `?` in order; the columns of a row are numbered from 0. An
// error of SQLite is kept until finish() returns it.
class SqlStatement {
public:
  SqlStatement(SqlStatement &&) noexcept;
  SqlStatement &operator=(SqlStatement &&) = delete;
  ~SqlStatement();

  SqlStatement &operator<<(std::int64_t value);
  SqlStatement &operator<<(double value);
  SqlStatement &operator<<(const std::string &value);
  template <typename Value>
  SqlStatement &operator<<(const std::optional<Value> &value) {
    return value ? *this << *value : bindNull();
  }

  bool next();     // steps to the next row; false: no more rows, or an error
  Status finish(); // runs the statement to its end

  bool isNull(int column) const;
  std::int64_t integer(int column) const;
  double real(int column) const;
  std::string text(int column) const;

private:
  friend class Database;
  SqlStatement(sqlite3 *database, sqlite3_stmt *statement, std::string path);
  SqlStatement &bindNull();

  sqlite3 *m_database;
  sqlite3_stmt *m_statement;
  std::string m_path;
  int m_bound = 0;
  bool m_isDone = false, m_hasFailed = false;
};

// A SQLite file in WAL mode. Each change is on the disk before its call returns, so a process that
// is killed loses at most the unfinished change. Must not be used from two threads at once.
class Database {
public:
  static Result<Database> open(const std::string &path);

  Status run(const std::string &sql); // for statements without parameters
  Result<SqlStatement> prepare(const std::string &sql) const;
  int changes() const; // rows changed by the last statement

private:
  struct Close {
    void operator()(sqlite3 *database) const;
  };
  Database(sqlite3 *database, std::string path) : m_database(database), m_path(std::move(path)) {}

  std::unique_ptr<sqlite3, Close> m_database;
  std::string m_path;
};

} // namespace tessera::host

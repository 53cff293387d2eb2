// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/tables/problem_model.h"
#include "engine/pipeline/pipeline.h"
#include "views/text/subject.h"

#include <QAbstractItemModel>
#include <QDateTime>
#include <QString>

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace tessera::views {

// What a line of the log refers to. Its stage and candidate are only valid for one pipeline, which
// the log must not keep alive.
struct LogTarget {
  std::weak_ptr<const pipeline::Pipeline> of;
  std::optional<Subject> subject;
  std::uint64_t candidate = 0; // 0: none
  QString path;                // path of a file; empty: none
};

struct LogDetail {
  QString text;
  LogTarget target;
};

// Something that the program did or that happened to it.
struct LogLine {
  enum class Kind : std::uint8_t { File, Search, Compile, Measure, Verify, Worker };
  static constexpr int kKinds = 6;

  Kind kind = Kind::File;
  std::optional<Problem::Severity> severity; // none: an ordinary event
  QString text;
  std::vector<LogDetail> details;
  LogTarget target;
  QDateTime when; // set by the model
};

QString kindText(LogLine::Kind kind); // "Measure"

// The log of what the program did, the latest line last. The details of a line are its children.
// When there are too many lines, the oldest are removed. Any thread may add lines; the lines that
// arrive during one iteration of the event loop are inserted together.
class LogModel : public QAbstractItemModel {
  Q_OBJECT
public:
  static constexpr int kMostLines = 2000;
  static constexpr int kMostDetails = 200;   // for one line
  static constexpr int kLongestText = 4'000; // characters of a line or of a detail

  enum Column { When, Kind, Text, ColumnCount };
  enum Role {
    SeverityRole = Qt::UserRole + 1, // int of Problem::Severity; invalid: none
    KindRole,                        // int of LogLine::Kind
    TextRole                         // text of the whole line with its time, as it is saved
  };

  explicit LogModel(QObject *parent = nullptr);

  void add(LogLine line); // may be called on any thread while the model exists
  void clear();
  qint64 gone() const { return m_gone; } // number of lines that were dropped for lack of room
  LogTarget targetAt(const QModelIndex &index) const;

  QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
  QModelIndex parent(const QModelIndex &child) const override;
  int rowCount(const QModelIndex &parent = {}) const override;
  int columnCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
  void collect();
  const LogLine &lineOf(const QModelIndex &index) const; // the line, or a detail's line
  const LogDetail *detailOf(const QModelIndex &index) const;
  QVariant lineData(const LogLine &line, int column, int role) const;

  std::deque<LogLine> m_lines;
  // The number of the first line in m_lines, counted over all lines ever added.
  std::uint64_t m_first = 0;
  qint64 m_gone = 0;
  std::mutex m_mutex;            // guards the members below
  std::deque<LogLine> m_arrived; // lines that were added and are not in m_lines yet
  qint64 m_overflown = 0;        // lines that were dropped from m_arrived
  bool m_noticed = false;        // a call of collect() is queued
};

} // namespace tessera::views

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/pipeline/pipeline.h"
#include "views/tables/problem_model.h"
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

// What a line of the log speaks of. A stage and a candidate mean nothing in another pipeline, which
// the log must not keep alive either.
struct LogTarget {
  std::weak_ptr<const pipeline::Pipeline> of;
  std::optional<Subject> subject;
  std::uint64_t candidate = 0; // 0: none
  QString path;                // of a file; empty: none
};

struct LogDetail {
  QString text;
  LogTarget target;
};

// Something that the program did, or that befell it.
struct LogLine {
  enum class Kind : std::uint8_t { File, Search, Compile, Measure, Verify, Worker };
  static constexpr int kKinds = 6;

  Kind kind = Kind::File;
  std::optional<Problem::Severity> severity; // none: all went well
  QString text;
  std::vector<LogDetail> details;
  LogTarget target;
  QDateTime when; // the model sets it
};

QString kindText(LogLine::Kind kind); // "Measure"

// What the program did, the latest last; a line's details are its children. The oldest go when
// there are too many. Lines may come from any thread; what comes in one turn of the event loop is
// one insertion.
class LogModel : public QAbstractItemModel {
  Q_OBJECT
public:
  static constexpr int kMostLines = 2000;
  static constexpr int kMostDetails = 200;   // of a line
  static constexpr int kLongestText = 4'000; // characters of a line, and of a detail

  enum Column { When, Kind, Text, ColumnCount };
  enum Role {
    SeverityRole = Qt::UserRole + 1, // int of Problem::Severity; invalid: none
    KindRole,                        // int of LogLine::Kind
    TextRole                         // of the whole line, with its time, as it is saved
  };

  explicit LogModel(QObject *parent = nullptr);

  void add(LogLine line); // any thread; until the model is gone
  void clear();
  qint64 gone() const { return m_gone; } // lines that there was no more room for
  LogTarget targetAt(const QModelIndex &index) const;

  QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
  QModelIndex parent(const QModelIndex &child) const override;
  int rowCount(const QModelIndex &parent = {}) const override;
  int columnCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
  void collect();
  const LogLine &lineOf(const QModelIndex &index) const; // its own, or its parent's
  const LogDetail *detailOf(const QModelIndex &index) const;
  QVariant lineData(const LogLine &line, int column, int role) const;

  std::deque<LogLine> m_lines;
  std::uint64_t m_first = 0; // the number of the first line, of all there ever were
  qint64 m_gone = 0;
  std::mutex m_mutex;            // for what follows
  std::deque<LogLine> m_arrived; // from any thread
  qint64 m_overflown = 0;        // of those
  bool m_noticed = false;        // collect() is on its way
};

} // namespace tessera::views

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/pipeline/pipeline.h"
#include "views/text/subject.h"

#include <QAbstractTableModel>
#include <QString>

#include <optional>
#include <vector>

namespace tessera::views {

// Something that the user should know: an error, a problem that can be fixed, or a remark.
struct Problem {
  enum class Severity : std::uint8_t { Error, Warning, Remark };
  Severity severity = Severity::Remark;
  QString about; // a stage, an input or a file
  QString text;
  QString hint;
  std::optional<Subject> subject; // selected by a click
};

// Rows in this order: the errors of the last open; estimates that contradict the pipeline, and the
// import's remarks, which an estimate would fix, as warnings; the pipeline's inexact accesses as
// remarks.
class ProblemModel : public QAbstractTableModel {
  Q_OBJECT
public:
  enum Column { About, Text, ColumnCount };
  enum Role { SeverityRole = Qt::UserRole + 1 };

  explicit ProblemModel(QObject *parent = nullptr);

  void setPipeline(pipeline::PipelinePtr pipeline);
  void setError(const QString &about, const std::optional<Error> &error);

  std::optional<Subject> subjectAt(int row) const;
  int errors() const;
  int warnings() const;
  int remarks() const;
  QString countsText() const; // "1 error, 2 warnings"; counts remarks only if there is neither

  int rowCount(const QModelIndex &parent = {}) const override;
  int columnCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
  void rebuild();
  int count(Problem::Severity severity) const;

  pipeline::PipelinePtr m_pipeline;
  std::optional<Problem> m_error;
  std::vector<Problem> m_rows;
};

// All problems of a pipeline; their number is shown in the dock's title, too.
std::vector<Problem> problemsOf(const pipeline::Pipeline &pipeline);

} // namespace tessera::views

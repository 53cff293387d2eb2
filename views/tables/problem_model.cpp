// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/problem_model.h"

#include "engine/pipeline/stage_names.h"
#include "views/text/access_text.h"

#include <QRegularExpression>
#include <QStringList>

#include <algorithm>
#include <set>
#include <utility>

namespace tessera::views {

namespace {

// A remark starts with the name of its subject: a stage, a func or an input.
std::optional<Subject> subjectNamed(const pipeline::Pipeline &pipeline, const std::string &name) {
  if (const auto stage = stageNamed(pipeline, name)) return Subject::stage(*stage);
  for (std::uint32_t i = 0; i < pipeline.inputs().size(); ++i)
    if (pipeline.inputs()[i].name == name) return Subject::input(pipeline::InputId{i});
  return {};
}

void addInexactAccesses(const pipeline::Pipeline &pipeline, std::vector<Problem> &problems) {
  for (std::uint32_t i = 0; i < pipeline.stages().size(); ++i) {
    const pipeline::StageId id{i};
    const pipeline::Stage &stage = pipeline.stage(id);
    std::set<std::pair<std::string, std::string>> said;
    for (const pipeline::Access &load : stage.loads)
      for (const pipeline::IndexMap &map : load.indices) {
        if (map.precision == pipeline::Precision::Exact) continue;
        const std::string &producer = pipeline.producerName(load.producer);
        if (!said.emplace(producer, map.reason).second) continue;
        const QString what =
            map.precision == pipeline::Precision::Whole
                ? ProblemModel::tr("The region of %1 that this stage needs is not known more "
                                   "precisely than %2: %3")
                : ProblemModel::tr(
                      "The region of %1 that this stage needs is over-estimated (%2): %3");
        problems.push_back({Problem::Severity::Remark,
                            QString::fromStdString(pipeline.stageName(id)),
                            what.arg(QString::fromStdString(producer),
                                     QString::fromStdString(accessText(pipeline, stage, load)),
                                     QString::fromStdString(map.reason)),
                            {},
                            Subject::stage(id)});
      }
  }
}

// A row has one line. Of what a compiler said it is the first error, with file and line; the tool
// tip has all of it.
QString rowText(const QString &text) {
  static const QRegularExpression kError(
      QStringLiteral("^(?:.*/)?([^/\\n]*:\\d+: (?:fatal )?error: .*)$"),
      QRegularExpression::MultilineOption);
  const qsizetype end = text.indexOf('\n');
  if (end < 0) return text;
  const QRegularExpressionMatch error = kError.match(text, end);
  return error.hasMatch() ? error.captured(1) : text.simplified();
}

} // namespace

std::vector<Problem> problemsOf(const pipeline::Pipeline &pipeline) {
  std::vector<Problem> problems;
  for (const pipeline::Remark &found : pipeline.conflicts().found)
    problems.push_back(
        {Problem::Severity::Warning,
         QString::fromStdString(found.subject),
         ProblemModel::tr("No schedule can run: %1").arg(QString::fromStdString(found.text)),
         {},
         subjectNamed(pipeline, found.subject)});
  for (const pipeline::Remark &remark : pipeline.remarks())
    problems.push_back({Problem::Severity::Warning,
                        QString::fromStdString(remark.subject),
                        QString::fromStdString(remark.text),
                        {},
                        subjectNamed(pipeline, remark.subject)});
  addInexactAccesses(pipeline, problems);
  return problems;
}

ProblemModel::ProblemModel(QObject *parent) : QAbstractTableModel(parent) {}

void ProblemModel::setPipeline(pipeline::PipelinePtr pipeline) {
  m_pipeline = std::move(pipeline);
  rebuild();
}

void ProblemModel::setError(const QString &about, const std::optional<Error> &error) {
  if (!error && !m_error) return;
  m_error.reset();
  if (error)
    m_error = Problem{Problem::Severity::Error,
                      about,
                      QString::fromStdString(error->message),
                      QString::fromStdString(error->hint),
                      {}};
  rebuild();
}

void ProblemModel::rebuild() {
  beginResetModel();
  m_rows.clear();
  if (m_error) m_rows.push_back(*m_error);
  if (m_pipeline) std::ranges::move(problemsOf(*m_pipeline), std::back_inserter(m_rows));
  endResetModel();
}

std::optional<Subject> ProblemModel::subjectAt(int row) const {
  return m_rows[static_cast<std::size_t>(row)].subject;
}

int ProblemModel::count(Problem::Severity severity) const {
  return int(std::ranges::count(m_rows, severity, &Problem::severity));
}

int ProblemModel::errors() const { return count(Problem::Severity::Error); }
int ProblemModel::warnings() const { return count(Problem::Severity::Warning); }
int ProblemModel::remarks() const { return count(Problem::Severity::Remark); }

// Remarks are counted only if there is no error and no warning: a healthy pipeline can have dozens
// of them.
QString ProblemModel::countsText() const {
  QStringList parts;
  if (const int n = errors()) parts << (n == 1 ? tr("1 error") : tr("%n errors", nullptr, n));
  if (const int n = warnings()) parts << (n == 1 ? tr("1 warning") : tr("%n warnings", nullptr, n));
  if (const int n = remarks(); n && parts.isEmpty())
    parts << (n == 1 ? tr("1 remark") : tr("%n remarks", nullptr, n));
  return parts.join(tr(", "));
}

int ProblemModel::rowCount(const QModelIndex &parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int ProblemModel::columnCount(const QModelIndex &parent) const {
  return parent.isValid() ? 0 : ColumnCount;
}

QVariant ProblemModel::data(const QModelIndex &index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
    return {};
  const Problem &row = m_rows[static_cast<std::size_t>(index.row())];
  const auto withHint = [&](const QString &text) {
    return row.hint.isEmpty() ? text : text + " — " + row.hint;
  };
  const QString text = withHint(rowText(row.text));
  switch (role) {
  case Qt::DisplayRole:
    return index.column() == About ? row.about : text;
  case Qt::ToolTipRole:
    return withHint(row.text);
  case Qt::AccessibleTextRole:
    return (row.severity == Problem::Severity::Error     ? tr("Error: %1: %2")
            : row.severity == Problem::Severity::Warning ? tr("Warning: %1: %2")
                                                         : tr("Remark: %1: %2"))
        .arg(row.about, text);
  case SeverityRole:
    return static_cast<int>(row.severity);
  default:
    return {};
  }
}

QVariant ProblemModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  return section == About ? tr("About") : tr("What");
}

} // namespace tessera::views

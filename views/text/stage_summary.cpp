// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/text/stage_summary.h"

#include "engine/pipeline/measures.h"

#include <QCoreApplication>
#include <QLocale>

namespace tessera::views {

using pipeline::Box;

namespace {

struct SummaryWords {
  Q_DECLARE_TR_FUNCTIONS(StageSummary)
};

StageSummary summarizeInput(const pipeline::Pipeline &pipeline, Subject subject) {
  const pipeline::Input &input = pipeline.input(subject.inputId());
  StageSummary summary;
  summary.subject = subject;
  summary.name = QString::fromStdString(input.name);
  summary.kind = input.isScalar ? StageKind::Scalar : StageKind::Input;
  summary.type = QString::fromStdString(toString(input.type));
  if (input.isScalar) {
    summary.extents = input.scalarEstimate.empty() ? QStringLiteral("?")
                                                   : QString::fromStdString(input.scalarEstimate);
    summary.bytes = input.type.bytes();
    return summary;
  }
  const auto producer = pipeline::Producer::input(subject.inputId());
  summary.extents = boxText(pipeline.producerRegion(producer));
  summary.bytes = regionBytes(pipeline, producer).value_or(0);
  return summary;
}

} // namespace

QString kindText(StageKind kind) {
  switch (kind) {
  case StageKind::Input:
    return SummaryWords::tr("input");
  case StageKind::Scalar:
    return SummaryWords::tr("scalar input");
  case StageKind::Pure:
    return SummaryWords::tr("pure");
  case StageKind::Update:
    return SummaryWords::tr("update");
  case StageKind::Reduction:
    return SummaryWords::tr("reduction");
  case StageKind::Extern:
    return SummaryWords::tr("extern stage");
  }
  return {};
}

QString boxText(const Box &box) { return QString::fromStdString(extentsText(box)); }

QString bytesText(std::int64_t bytes) {
  if (bytes == 1) return SummaryWords::tr("1 byte"); // QLocale says "1 bytes"
  return bytes <= 0 ? QStringLiteral("–")
                    : QLocale().formattedDataSize(bytes, 1, QLocale::DataSizeIecFormat);
}

QString countText(std::int64_t count) { return QLocale().toString(qlonglong(count)); }

StageSummary summarize(const pipeline::Pipeline &pipeline, Subject subject) {
  if (!subject.isStage()) return summarizeInput(pipeline, subject);
  const pipeline::Stage &stage = pipeline.stage(subject.stageId());
  const pipeline::Func &func = pipeline.func(stage.func);
  StageSummary summary;
  summary.subject = subject;
  summary.name = QString::fromStdString(pipeline.stageName(subject.stageId()));
  summary.kind = func.externCall      ? StageKind::Extern
                 : isReduction(stage) ? StageKind::Reduction
                 : stage.index != 0   ? StageKind::Update
                                      : StageKind::Pure;
  summary.isOutput = func.isOutput;
  summary.type = QString::fromStdString(typesText(func));
  Box loops;
  for (const pipeline::LoopDim &loop : stage.loops)
    loops.push_back(loop.range);
  summary.extents = boxText(loops);
  summary.points = evaluationCount(stage);
  summary.operations = operationCount(stage);
  summary.loads = loadCount(stage);
  summary.bytes = regionBytes(pipeline, pipeline::Producer::func(stage.func)).value_or(0);
  return summary;
}

} // namespace tessera::views

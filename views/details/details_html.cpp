// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/details/details_html.h"

#include "views/details/html_writer.h"
#include "views/text/access_text.h"
#include "views/text/cost_term.h"
#include "views/text/counted_text.h"
#include "views/text/from_std.h"
#include "views/text/stage_summary.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <map>

namespace tessera::views {

using pipeline::Interval;
using pipeline::Pipeline;
using pipeline::Stage;

namespace {

struct DetailsWords {
  Q_DECLARE_TR_FUNCTIONS(Details)
};

QString rangeText(const Interval &range) {
  if (!range.bounded()) return from(intervalText(range));
  return QStringLiteral("%1 … %2").arg(countText(range.min), countText(range.max));
}

QString extentText(const Interval &range) {
  return range.bounded() ? countText(range.extent()) : QStringLiteral("?");
}

QString sourceText(pipeline::EstimateSource source) {
  switch (source) {
  case pipeline::EstimateSource::None:
    return DetailsWords::tr("none");
  case pipeline::EstimateSource::File:
    return DetailsWords::tr("from the file");
  case pipeline::EstimateSource::Sidecar:
    return DetailsWords::tr("from the estimates file");
  case pipeline::EstimateSource::Derived:
    return DetailsWords::tr("derived from the outputs");
  case pipeline::EstimateSource::User:
    return DetailsWords::tr("entered by you");
  }
  return {};
}

void writeEstimates(HtmlWriter &html, const std::vector<pipeline::Estimate> &dims) {
  html.heading(DetailsWords::tr("Estimates"));
  html.beginTable({DetailsWords::tr("Dimension"), DetailsWords::tr("Range"),
                   DetailsWords::tr("Extent"), DetailsWords::tr("Source")});
  for (std::size_t i = 0; i < dims.size(); ++i)
    html.row({QString::number(i), rangeText(dims[i].range), extentText(dims[i].range),
              sourceText(dims[i].source)});
  html.endTable();
}

void writeLoops(HtmlWriter &html, const Stage &stage) {
  if (stage.loops.empty()) return;
  html.heading(DetailsWords::tr("Loops, innermost first"));
  html.beginTable({DetailsWords::tr("Name"), DetailsWords::tr("Range"), DetailsWords::tr("Extent"),
                   DetailsWords::tr("Kind")});
  for (const pipeline::LoopDim &loop : stage.loops)
    html.row({html.code(from(loop.name)), rangeText(loop.range), extentText(loop.range),
              loop.kind == pipeline::LoopDim::Kind::Pure ? DetailsWords::tr("pure")
                                                         : DetailsWords::tr("reduction")});
  html.endTable();
}

void writeOperations(HtmlWriter &html, const Stage &stage) {
  if (stage.operations.empty()) return;
  html.heading(DetailsWords::tr("Operations in one evaluation"));
  html.beginTable(
      {DetailsWords::tr("Operation"), DetailsWords::tr("Type"), DetailsWords::tr("Count")});
  for (const pipeline::OpCount &operation : stage.operations)
    html.row(
        {from(name(operation.kind)), from(toString(operation.type)), countText(operation.count)});
  html.endTable();
}

Subject subjectOf(const Pipeline &pipeline, const pipeline::Producer &producer) {
  if (producer.kind == pipeline::Producer::Kind::Input)
    return Subject::input(pipeline::InputId{producer.index});
  return Subject::stage(pipeline.func(pipeline::FuncId{producer.index}).firstStage);
}

QString linkedAccess(HtmlWriter &html, const Pipeline &pipeline, const Stage &stage,
                     const pipeline::Access &access) {
  const QString text = from(accessText(pipeline, stage, access));
  const QString producer = from(pipeline.producerName(access.producer));
  return html.link(linkTo(subjectOf(pipeline, access.producer)), producer) +
         html.code(text.mid(producer.size()));
}

// An access that the definition contains several times, for example in several tuple elements, has
// one row with its count.
void writeLoads(HtmlWriter &html, const Pipeline &pipeline, const Stage &stage) {
  if (stage.loads.empty()) return;
  html.heading(DetailsWords::tr("Loads"));
  html.beginTable({DetailsWords::tr("Access"), DetailsWords::tr("Times"), QString()});
  for (const pipeline::Access &load : stage.loads) {
    QStringList notes;
    for (const pipeline::IndexMap &map : load.indices) {
      if (map.precision == pipeline::Precision::Exact) continue;
      const QString word = map.precision == pipeline::Precision::Whole ? DetailsWords::tr("whole")
                                                                       : DetailsWords::tr("covers");
      const QString note = html.escaped(word + ": " + from(map.reason));
      if (!notes.contains(note)) notes << note;
    }
    html.row({linkedAccess(html, pipeline, stage, load), countText(load.count),
              html.faint(notes.join(QStringLiteral("<br>")))});
  }
  html.endTable();
}

void writeReaders(HtmlWriter &html, const Pipeline &pipeline, const pipeline::Producer &producer) {
  QStringList readers;
  for (std::uint32_t i = 0; i < pipeline.edges().size(); ++i) {
    const pipeline::Edge &edge = pipeline.edge(pipeline::EdgeId{i});
    if (edge.producer != producer) continue;
    const QString reader =
        html.link(linkTo(Subject::stage(edge.consumer)), from(pipeline.stageName(edge.consumer)));
    if (!readers.contains(reader)) readers << reader;
  }
  if (readers.isEmpty()) return;
  html.heading(DetailsWords::tr("Read by"));
  html.paragraph(readers.join(QStringLiteral(" &nbsp; ")));
}

void writeSchedule(HtmlWriter &html, const Pipeline &pipeline, Subject subject) {
  for (const pipeline::FoundSchedule &found : pipeline.foundSchedule()) {
    if (Subject::stage(found.stage) != subject) continue;
    html.heading(DetailsWords::tr("Schedule found in the file"));
    QStringList lines;
    for (const std::string &directive : found.directives)
      lines << from(directive);
    html.codeBlock(lines.join('\n'));
  }
}

// The cost of the kernel that computes a stage, as the algorithm that chose the kernel has it.
void writeCost(HtmlWriter &html, const ShownSchedulePtr &shown, Subject subject) {
  const search::KernelCost *cost = shown ? shown->costOf(subject) : nullptr;
  if (!cost) return;
  html.heading(DetailsWords::tr("Cost of its kernel by %1").arg(from(shown->found.algorithm)));
  html.beginTable({DetailsWords::tr("Term"), DetailsWords::tr("Value")});
  for (const auto &[term, value] : cost->terms)
    if (term != "valid" || value == 0) // valid tiles need no word
      html.row({html.escaped(costTermText(term)), html.escaped(costValueText(term, value))});
  html.endTable();
  html.paragraph(html.faint(DetailsWords::tr(
      "In the algorithm's own units, by which it chose among kernels. They are no seconds.")));
}

QString headline(const StageSummary &summary) {
  QStringList parts{summary.isOutput ? DetailsWords::tr("%1, output").arg(kindText(summary.kind))
                                     : kindText(summary.kind),
                    summary.type, summary.extents};
  if (summary.bytes > 0) parts << bytesText(summary.bytes);
  return parts.join(QStringLiteral(" · "));
}

} // namespace

QUrl linkTo(Subject subject) {
  return QUrl((subject.isStage() ? QStringLiteral("stage:%1") : QStringLiteral("input:%1"))
                  .arg(subject.index));
}

std::optional<Subject> subjectOf(const QUrl &link) {
  bool isNumber = false;
  const std::uint32_t index = link.path().toUInt(&isNumber);
  if (!isNumber) return {};
  if (link.scheme() == QLatin1String("stage")) return Subject{Subject::Kind::Stage, index};
  if (link.scheme() == QLatin1String("input")) return Subject{Subject::Kind::Input, index};
  return {};
}

QString detailsHtml(const Pipeline &pipeline, Subject subject, const QPalette &palette,
                    const ShownSchedulePtr &shown) {
  HtmlWriter html(palette);
  const StageSummary summary = summarize(pipeline, subject);
  html.title(summary.name, headline(summary));
  if (!subject.isStage()) {
    const pipeline::Input &input = pipeline.input(subject.inputId());
    if (input.isScalar) {
      html.heading(DetailsWords::tr("Estimate"));
      html.paragraph(
          html.escaped(input.scalarEstimate.empty()
                           ? DetailsWords::tr("none")
                           : from(input.scalarEstimate) + ", " + sourceText(input.scalarSource)));
    } else {
      writeEstimates(html, input.dims);
    }
    writeReaders(html, pipeline, pipeline::Producer::input(subject.inputId()));
    return html.finish();
  }
  const Stage &stage = pipeline.stage(subject.stageId());
  html.heading(DetailsWords::tr("Definition"));
  html.codeBlock(from(stage.definition));
  if (!stage.predicate.empty())
    html.paragraph(DetailsWords::tr("where %1").arg(html.code(from(stage.predicate))));
  writeSchedule(html, pipeline, subject);
  writeLoops(html, stage);
  writeLoads(html, pipeline, stage);
  writeReaders(html, pipeline, pipeline::Producer::func(stage.func));
  writeOperations(html, stage);
  writeCost(html, shown, subject);
  for (const pipeline::Output &output : pipeline.outputs())
    if (output.func == stage.func) writeEstimates(html, output.dims);
  return html.finish();
}

QString overviewHtml(const Pipeline &pipeline, const QPalette &palette) {
  HtmlWriter html(palette);
  html.title(from(pipeline.name()),
             DetailsWords::tr("%1 · %2 · %3 · Halide %4")
                 .arg(funcsText(qint64(pipeline.funcs().size())),
                      stagesText(qint64(pipeline.stages().size())),
                      edgesText(qint64(pipeline.edges().size())), from(pipeline.halideVersion())));
  const auto list = [&](const QString &heading, const std::vector<Subject> &subjects) {
    if (subjects.empty()) return;
    html.heading(heading);
    html.beginTable({DetailsWords::tr("Name"), DetailsWords::tr("Extents"),
                     DetailsWords::tr("Type"), DetailsWords::tr("Size")});
    for (const Subject subject : subjects) {
      const StageSummary summary = summarize(pipeline, subject);
      html.row({html.link(linkTo(subject), summary.name), summary.extents,
                html.escaped(summary.type), bytesText(summary.bytes)});
    }
    html.endTable();
  };
  std::vector<Subject> inputs, outputs;
  for (std::uint32_t i = 0; i < pipeline.inputs().size(); ++i)
    inputs.push_back(Subject::input(pipeline::InputId{i}));
  for (const pipeline::Output &output : pipeline.outputs())
    outputs.push_back(Subject::stage(pipeline.func(output.func).firstStage));
  list(DetailsWords::tr("Inputs"), inputs);
  list(DetailsWords::tr("Outputs"), outputs);
  html.paragraph(
      html.faint(DetailsWords::tr("Select a stage to see its definition, loops and loads.")));
  return html.finish();
}

} // namespace tessera::views

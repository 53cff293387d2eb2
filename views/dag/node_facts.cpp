// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dag/node_facts.h"

#include "views/dag/kernel_groups.h"
#include "engine/schedule/text/decision_text.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace tessera::views {

namespace {

struct FactWords {
  Q_DECLARE_TR_FUNCTIONS(NodeFacts)
};

} // namespace

QString factsOf(const DagNode &node, const ShownSchedule &shown, double part) {
  const schedule::Schedule &schedule = shown.found.schedule;
  const auto funcs = schedule.pipeline()->funcs();
  const auto func = std::ranges::find(funcs, node.title.toStdString(), &pipeline::Func::name);
  if (func == funcs.end()) return {};
  if (func->externCall)
    return FactWords::tr("calls %1").arg(QString::fromStdString(func->externCall->function));
  const schedule::FuncPlan &plan = schedule.plan(pipeline::FuncId(func - funcs.begin()));
  QStringList facts{QString::fromStdString(textOf(schedule, plan.compute))};
  if (plan.storage != schedule::Storage::Auto)
    facts << QString::fromStdString(std::string(name(plan.storage)));
  if (part > 0) facts << partText(part);
  return facts.join(QStringLiteral(" · "));
}

} // namespace tessera::views

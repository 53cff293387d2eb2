// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/text/size_step.h"

#include "views/settings/own_sizes.h"

#include <QCoreApplication>
#include <QStringList>

#include <string_view>

namespace tessera::views {

namespace {

struct StepWords {
  Q_DECLARE_TR_FUNCTIONS(SizeStep)
};

using Estimates = std::vector<open::EstimateOverride>;

// The estimates of the first list that are not in the second, as NAME=VALUE.
QStringList onlyIn(const Estimates &these, const Estimates &others) {
  QStringList texts;
  for (const open::EstimateOverride &one : these)
    texts << estimateText(one);
  for (const open::EstimateOverride &other : others)
    texts.removeAll(estimateText(other));
  return texts;
}

std::string_view sizeOf(const open::OpenRequest &request) {
  return request.size.empty() ? open::kOwnSize : std::string_view(request.size);
}

} // namespace

std::optional<QString> sizeStep(const open::OpenRequest &before, const open::OpenRequest &after) {
  if (before.path != after.path || before.generator != after.generator ||
      before.parameters != after.parameters || before.ownSchedule != after.ownSchedule)
    return std::nullopt;
  if (sizeOf(before) != sizeOf(after))
    return sizeOf(after) == open::kOwnSize
               ? StepWords::tr("Size as in the file")
               : StepWords::tr("Size %1").arg(QString::fromStdString(after.size));
  const QStringList now = onlyIn(after.estimates, before.estimates);
  const QStringList then = onlyIn(before.estimates, after.estimates);
  if (now.isEmpty() && then.isEmpty()) return std::nullopt;
  if (now.size() != 1) return StepWords::tr("Sizes");
  const QString name = now[0].section('=', 0, 0), value = now[0].section('=', 1);
  return value.contains(':') ? StepWords::tr("Size of %1").arg(name)
                             : StepWords::tr("%1 = %2").arg(name, value);
}

} // namespace tessera::views

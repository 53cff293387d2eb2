// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dag/node_place.h"

#include <QStringList>

#include <set>

namespace tessera::views {

namespace {

QString labelOf(const std::set<int> &kernels) {
  if (kernels.empty()) return {};
  const int first = *kernels.begin(), last = *kernels.rbegin();
  if (kernels.size() > 2 && last - first + 1 == int(kernels.size()))
    return QStringLiteral("%1–%2").arg(first).arg(last);
  QStringList numbers;
  for (const int kernel : kernels)
    numbers << QString::number(kernel);
  return numbers.join(QStringLiteral(", "));
}

} // namespace

std::vector<NodePlace> nodePlaces(const DagGraph &graph, const ShownSchedule &schedule) {
  std::vector<NodePlace> places;
  places.reserve(graph.nodes.size());
  for (const DagNode &node : graph.nodes) {
    NodePlace place;
    std::set<int> kernels;
    for (const Subject subject : node.subjects) {
      const StagePlace stage = schedule.placeOf(subject);
      place.isInlined |= stage.isInlined;
      if (stage.kernel > 0) kernels.insert(stage.kernel);
    }
    if (!kernels.empty()) place.kernel = *kernels.rbegin();
    place.label = labelOf(kernels);
    places.push_back(std::move(place));
  }
  return places;
}

} // namespace tessera::views

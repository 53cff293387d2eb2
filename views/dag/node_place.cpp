// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dag/node_place.h"

#include <QStringList>

#include <algorithm>
#include <set>

namespace tessera::views {

namespace {

void take(NodePlace &place, const std::set<int> &kernels, const ShownSchedule &schedule) {
  place.kernels.assign(kernels.begin(), kernels.end());
  place.colours.clear();
  for (const int kernel : kernels)
    place.colours.push_back(schedule.colourOf(kernel));
}

NodePlace ownPlace(const DagNode &node, const ShownSchedule &schedule) {
  NodePlace place;
  std::set<int> kernels;
  const auto add = [&](const StagePlace &stage) {
    place.isInlined |= stage.isInlined;
    place.part += stage.part;
    place.chipColours.push_back(schedule.colourOf(stage.kernel));
    if (stage.kernel > 0) kernels.insert(stage.kernel);
  };
  if (!node.addedAs.isEmpty())
    std::ranges::for_each(schedule.placesOfAdded(node.title.toStdString()), add);
  else
    for (const Subject subject : node.subjects)
      add(schedule.placeOf(subject));
  take(place, kernels, schedule);
  place.isFrozenBySearch =
      std::ranges::binary_search(schedule.frozenBySearch, node.title.toStdString());
  if (!place.isInlined) place.label = kernelNumbers(place.kernels);
  return place;
}

} // namespace

QString kernelNumbers(const std::vector<int> &kernels) {
  if (kernels.empty()) return {};
  const int first = kernels.front(), last = kernels.back();
  if (kernels.size() > 2 && last - first + 1 == int(kernels.size()))
    return QStringLiteral("%1–%2").arg(first).arg(last);
  QStringList numbers;
  for (const int kernel : kernels)
    numbers << QString::number(kernel);
  return numbers.join(QStringLiteral(", "));
}

std::vector<NodePlace> nodePlaces(const DagGraph &graph, const ShownSchedule &schedule) {
  std::vector<NodePlace> places;
  places.reserve(graph.nodes.size());
  for (const DagNode &node : graph.nodes)
    places.push_back(ownPlace(node, schedule));
  // An inlined node is computed in its readers. Readers come after the nodes that they read, so the
  // loop runs backwards.
  for (std::size_t i = places.size(); i-- > 0;) {
    if (!places[i].isInlined) continue;
    std::set<int> readers;
    for (const std::uint32_t edge : graph.edgesFrom[i]) {
      const std::vector<int> &kernels = places[graph.edges[edge].to].kernels;
      readers.insert(kernels.begin(), kernels.end());
    }
    take(places[i], readers, schedule);
  }
  return places;
}

} // namespace tessera::views

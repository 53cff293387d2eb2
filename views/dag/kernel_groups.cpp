// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dag/kernel_groups.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <map>

namespace tessera::views {

namespace {

struct GroupWords {
  Q_DECLARE_TR_FUNCTIONS(KernelGroups)
};

int colourIn(const NodePlace &place, int kernel) {
  const auto at = std::ranges::find(place.kernels, kernel) - place.kernels.begin();
  return std::size_t(at) < place.colours.size() ? place.colours[std::size_t(at)] : 0;
}

} // namespace

QString partText(double part) {
  const double percent = part * 100;
  if (percent > 0 && percent < 0.1)
    return QStringLiteral("<0.1 %").replace('.', QLocale().decimalPoint());
  return QLocale().toString(percent, 'f', percent < 10 ? 1 : 0) + QStringLiteral(" %");
}

QString placeText(const NodePlace &place) {
  if (place.kernels.empty()) return {};
  const QString numbers = kernelNumbers(place.kernels);
  if (place.isInlined) return GroupWords::tr("inlined, computed in kernel %1").arg(numbers);
  return GroupWords::tr("kernel %1, about %2 of the predicted time")
      .arg(numbers, partText(place.part));
}

QString frozenText(const NodePlace &place) {
  return place.isFrozenBySearch
             ? GroupWords::tr("decided by the search's pre-pass, and not changed after it")
             : QString();
}

std::vector<KernelGroup> kernelGroups(const std::vector<NodePlace> &places,
                                      const cost::Prediction &prediction) {
  std::vector<std::vector<std::uint32_t>> nodesOf(prediction.kernels.size() + 1);
  for (std::uint32_t node = 0; node < places.size(); ++node) {
    if (places[node].isInlined && places[node].kernels.size() > 1) continue;
    for (const int kernel : places[node].kernels)
      if (std::size_t(kernel) < nodesOf.size()) nodesOf[std::size_t(kernel)].push_back(node);
  }
  double all = 0;
  for (const cost::Prediction::Kernel &kernel : prediction.kernels)
    all += kernel.time.seconds;
  std::vector<KernelGroup> groups;
  std::map<std::vector<std::uint32_t>, std::size_t> known;
  for (std::size_t k = 1; k < nodesOf.size(); ++k) {
    if (nodesOf[k].empty()) continue;
    const auto [at, isNew] = known.emplace(nodesOf[k], groups.size());
    if (isNew) groups.push_back({{}, nodesOf[k], 0, {}, 0});
    KernelGroup &group = groups[at->second];
    group.kernels.push_back(int(k));
    group.colour = colourIn(places[nodesOf[k].front()], int(k));
    group.part += all > 0 ? prediction.kernels[k - 1].time.seconds / all : 0;
  }
  for (KernelGroup &group : groups)
    group.label = kernelNumbers(group.kernels) + QStringLiteral(" · ") + partText(group.part);
  return groups;
}

} // namespace tessera::views

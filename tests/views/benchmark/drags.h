// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/theme/theme.h"

#include <QApplication>

#include <algorithm>

namespace tessera::views::benchmark {

// Runs a benchmark of drags, which is started as `NAME [--frames N] SAMPLE…`. A Session opens a
// sample; its drag() moves handles for that many frames, and prints how long they took.
template <typename Session>
int dragOnSamples(int argc, char **argv) {
  QApplication application(argc, argv);
  applyAppearance(Appearance::Light, false);
  QStringList samples = QApplication::arguments().mid(1);
  int frames = 200;
  if (samples.value(0) == "--frames") {
    frames = std::max(1, samples.value(1).toInt());
    samples = samples.mid(2);
  }
  for (const QString &sample : samples)
    Session(sample).drag(frames);
  return samples.isEmpty() ? 2 : 0;
}

} // namespace tessera::views::benchmark

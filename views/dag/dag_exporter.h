// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <QString>

namespace tessera::views {

class DagScene;

// Writes the whole DAG as it is drawn at 100 %, with its kernels, on a white page: SVG, or PNG or
// PDF where the name ends so. The file appears whole or not at all.
Status exportDag(const DagScene &scene, const QString &path);

} // namespace tessera::views

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <QString>

namespace tessera::views {

class DagScene;

// Writes the whole DAG as it is drawn at 100 %, with its kernels, on a white page. The format is
// SVG unless `path` ends in .png or .pdf. The file is written whole or not at all.
Status exportDag(const DagScene &scene, const QString &path);

} // namespace tessera::views

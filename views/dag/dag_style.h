// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/dag/dag_graph.h"
#include "views/theme/theme.h"

#include <QFont>
#include <QPalette>

namespace tessera::views {

// Fonts and colours of the DAG, shared by all its items. A palette change makes a new one.
struct DagStyle {
  DagStyle(const QPalette &palette, const QFont &base);

  Colors colors;
  QFont title, detail, chip, badge;
  QFont near, nearTitle; // for nodes at Detail::Near, which show one line more
  QFont farTitle;        // for a node that shows only its name, in up to two lines

  MeasureText measure() const;
  bool hasFontsOf(const DagStyle &other) const;
};

} // namespace tessera::views

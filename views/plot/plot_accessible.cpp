// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/plot/plot_accessible.h"

#include "views/plot/plot_view.h"

#include <QAccessibleWidget>

namespace tessera::views {

namespace {

class PlotAccessible : public QAccessibleWidget {
public:
  explicit PlotAccessible(QWidget *chart) : QAccessibleWidget(chart, QAccessible::Chart) {}

  int childCount() const override { return 0; }
  QAccessibleInterface *child(int) const override { return nullptr; }
  QAccessibleInterface *childAt(int, int) const override { return nullptr; }
  int indexOfChild(const QAccessibleInterface *) const override { return -1; }
};

QAccessibleInterface *accessibleOf(const QString &, QObject *object) {
  auto *chart = qobject_cast<PlotView *>(object);
  return chart ? new PlotAccessible(chart) : nullptr;
}

} // namespace

// Installing the same factory again has no effect.
void announcePlots() { QAccessible::installFactory(accessibleOf); }

} // namespace tessera::views

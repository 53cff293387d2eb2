// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/theme/narrow_tabs.h"

#include <QProxyStyle>
#include <QTabBar>

namespace tessera::views {

namespace {

constexpr int kBesideTitle = 10; // pixels, left and right together

class NarrowTabStyle : public QProxyStyle {
public:
  using QProxyStyle::QProxyStyle;

  int pixelMetric(PixelMetric metric, const QStyleOption *option,
                  const QWidget *widget) const override {
    if (metric == PM_TabBarTabHSpace) return kBesideTitle;
    return QProxyStyle::pixelMetric(metric, option, widget);
  }
};

} // namespace

void makeNarrow(QTabBar &tabs) {
  auto *style = new NarrowTabStyle;
  style->setParent(&tabs); // a widget does not own its style
  tabs.setStyle(style);
}

} // namespace tessera::views

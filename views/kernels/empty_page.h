// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QLabel;
class QStackedWidget;
class QString;

namespace tessera::views {

class ShownKernels;

// A page for a panel about kernels that has none to show: the label says why, and its parent is the
// page.
QLabel *emptyPage(QStackedWidget &stack);
QString emptyText(const ShownKernels &kernels);

} // namespace tessera::views

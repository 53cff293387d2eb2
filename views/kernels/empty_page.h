// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QLabel;
class QStackedWidget;
class QString;

namespace tessera::views {

class ShownKernels;

// The page of a kernel panel without kernels. The returned label says why there are none; its
// parent is the page.
QLabel *emptyPage(QStackedWidget &stack);
QString emptyText(const ShownKernels &kernels);

} // namespace tessera::views

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/flows/open_flow.h"

#include <QWidget>

class QLabel;
class QTabWidget;

namespace tessera::views {

// The settings that all results depend on, one page each, for example sizes, inputs and GPUs.
class PipelinePanel : public QWidget {
  Q_OBJECT
public:
  explicit PipelinePanel(OpenFlow &open, QWidget *parent = nullptr);

  void addPage(QWidget *page, const QString &title);
  QTabWidget &tabs() { return *m_tabs; }

private:
  void refresh();

  OpenFlow &m_open;
  QLabel *m_head = nullptr;
  QTabWidget *m_tabs = nullptr;
};

} // namespace tessera::views

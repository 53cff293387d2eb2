// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMenu>

#include <string>

class QActionGroup;

namespace tessera::open {
struct OpenRequest;
}

namespace tessera::views {

class OpenFlow;

// File › Size: the size that the open pipeline came with, and the sizes used for it in papers.
class SizeMenu : public QMenu {
  Q_OBJECT
public:
  SizeMenu(OpenFlow &opening, QWidget *parent);

signals:
  void openWanted(const tessera::open::OpenRequest &request);

private:
  void fill();
  void add(const std::string &size, const QString &text, QActionGroup &group);

  OpenFlow &m_opening;
};

} // namespace tessera::views

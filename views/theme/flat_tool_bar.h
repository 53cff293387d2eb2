// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMargins>
#include <QToolBar>

namespace tessera::views {

// A tool bar without the shades and edges that styles draw. It has no style sheet, because a widget
// with one keeps the palette of the moment when the sheet was set.
class FlatToolBar : public QToolBar {
  Q_OBJECT
public:
  enum class Edge { None, Below }; // whether a line separates it from what is below

  FlatToolBar(const QString &title, Edge edge, const QMargins &margins, QWidget *parent);

protected:
  void changeEvent(QEvent *event) override;
  void paintEvent(QPaintEvent *event) override;

private:
  void arrange();

  Edge m_edge;
  QMargins m_margins;
};

} // namespace tessera::views

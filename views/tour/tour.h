// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QPointer>
#include <QString>
#include <QWidget>

#include <functional>
#include <vector>

class QLabel;
class QPushButton;

namespace tessera::views {

struct TourStep {
  QString title, text;
  // Shows the widget to point at and returns it; null: there is none.
  std::function<QWidget *()> target;
  // The part of the target to point at, in its coordinates; null: all of it.
  std::function<QRect(const QWidget &)> part = {};
};

// A short tour of the window: everything is darkened except the widget that the card explains. The
// left and right arrow keys, Return and Escape do the same as the buttons.
class Tour : public QFrame {
  Q_OBJECT
public:
  Tour(std::vector<TourStep> steps, QWidget *window);
  ~Tour() override;

  void start();
  int current() const { return m_current; } // -1: the tour is not running
  QWidget *target() const { return m_target; }

signals:
  void finished(); // at its end, or when it is skipped

protected:
  void keyPressEvent(QKeyEvent *event) override;
  bool eventFilter(QObject *watched, QEvent *event) override;

private:
  QPushButton *addButton(const QString &text, const QString &name, void (Tour::*run)());
  void go(int step);
  void next();
  void back();
  void end();
  void place();

  class Shade;
  std::vector<TourStep> m_steps;
  int m_current = -1;
  QPointer<QWidget> m_target;
  QPointer<QWidget> m_shade; // below the card, over all other widgets
  QLabel *m_title = nullptr, *m_text = nullptr, *m_position = nullptr;
  QPushButton *m_skip = nullptr, *m_back = nullptr, *m_next = nullptr;
};

} // namespace tessera::views

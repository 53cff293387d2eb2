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
  std::function<QWidget *()> target; // brings it to view and says which; null: nothing to point at
};

// A short way through the window: everything is dimmed but the widget that a card speaks of. Right
// and left arrow, Return and Escape do what the buttons do.
class Tour : public QFrame {
  Q_OBJECT
public:
  Tour(std::vector<TourStep> steps, QWidget *window);
  ~Tour() override;

  void start();
  int current() const { return m_current; } // -1: it is over
  QWidget *target() const { return m_target; }

signals:
  void finished(); // to its end or not

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
  QPointer<QWidget> m_shade; // below the card, over everything else
  QLabel *m_title = nullptr, *m_text = nullptr, *m_position = nullptr;
  QPushButton *m_skip = nullptr, *m_back = nullptr, *m_next = nullptr;
};

} // namespace tessera::views

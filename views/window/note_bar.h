// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

#include <functional>

class QLabel;
class QPushButton;

namespace tessera::views {

// A strip above the DAG that says or offers something without stopping anybody.
class NoteBar : public QFrame {
  Q_OBJECT
public:
  explicit NoteBar(QWidget *parent = nullptr);

  void tell(const QString &text);
  void offer(const QString &text, const QString &accept, const QString &acceptForGood = {});
  // What failed, with a button that does it once more.
  void offerRetry(const QString &text, std::function<void()> again);

signals:
  void accepted();
  void acceptedForGood();

private:
  void showText(const QString &text);

  QLabel *m_text = nullptr;
  QPushButton *m_accept = nullptr;
  QPushButton *m_forGood = nullptr;
  std::function<void()> m_again; // instead of accepted()
};

} // namespace tessera::views

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

#include <functional>

class QLabel;
class QPushButton;

namespace tessera::views {

// A strip above the DAG with a message or an offer. It does not interrupt the user.
class NoteBar : public QFrame {
  Q_OBJECT
public:
  explicit NoteBar(QWidget *parent = nullptr);

  void tell(const QString &text);
  void offer(const QString &text, const QString &accept, const QString &acceptForGood = {});
  // Shows a question with a button that runs `then`.
  void ask(const QString &text, const QString &accept, std::function<void()> then);
  // Shows an error with a button that runs `again`.
  void offerRetry(const QString &text, std::function<void()> again);

signals:
  void accepted();
  void acceptedForGood();

private:
  void showText(const QString &text);

  QLabel *m_text = nullptr;
  QPushButton *m_accept = nullptr;
  QPushButton *m_forGood = nullptr;
  std::function<void()> m_again; // if set, it is called instead of accepted()
};

} // namespace tessera::views

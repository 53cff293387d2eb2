// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/text/code_marks.h"
#include "views/text/text_difference.h"

#include <QPlainTextEdit>

#include <vector>

namespace tessera::views {

// A text to read: line numbers, colours of its language, a bar at the lines of each kernel, and the
// lines of the active stage lit. Only what is seen is coloured, so that a text of any length is
// there at once.
class CodeView : public QPlainTextEdit {
  Q_OBJECT
public:
  // What stands beside a mark's lines: the number of the kernel, from 1; 0: none.
  using KernelNumbers = std::vector<int>; // one for each mark

  explicit CodeView(QWidget *parent = nullptr);

  void showText(CodeKind kind, const QString &text, std::vector<LineMark> marks,
                KernelNumbers kernels);
  // The marks are of the lines of both texts, as they are shown.
  void showDifference(CodeKind kind, const TextDifference &difference, std::vector<LineMark> marks,
                      KernelNumbers kernels);

  const std::vector<LineMark> &marks() const { return m_marks; }
  enum class Scroll { No, ToFirst };
  void light(std::optional<Subject> subject, Scroll scroll); // its lines
  int litLines() const;

  // Find: how many there are, and where the cursor's is among them, from 1.
  void search(const QString &text);
  void findNext(bool backwards);
  int matches() const { return int(m_matches.size()); }
  int currentMatch() const;

  int marginWidth() const;
  void paintMargin(QPaintEvent *event);

signals:
  void lineChosen(int line); // by the user, from 0
  void matchesChanged();

protected:
  void paintEvent(QPaintEvent *event) override;
  void resizeEvent(QResizeEvent *event) override;
  void changeEvent(QEvent *event) override;
  void mouseReleaseEvent(QMouseEvent *event) override;
  void keyReleaseEvent(QKeyEvent *event) override;

private:
  void load(CodeKind kind, const QString &text);
  void colourSeen();
  void colour(QTextBlock &block) const;
  bool isLit(const LineMark &mark) const;
  void paintBackgrounds(QPaintEvent *event);
  template <typename Visit>
  void forSeen(const QRect &area, const Visit &visit); // each block with its rectangle
  void showMatch(std::size_t index);

  CodeKind m_kind = CodeKind::Cpp;
  std::vector<LineMark> m_marks;
  KernelNumbers m_kernels;
  std::vector<LineChange> m_changes; // of a difference
  std::optional<Subject> m_lit;
  QString m_text, m_wanted;
  std::vector<int> m_matches; // places in the text
  int m_generation = 0;       // of colours: a block that has an older one gets new ones
  QWidget *m_margin = nullptr;
};

} // namespace tessera::views

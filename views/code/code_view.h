// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/text/code_marks.h"
#include "views/text/text_difference.h"

#include <QPlainTextEdit>

#include <vector>

namespace tessera::views {

// A read-only text view with line numbers, syntax colours, a bar beside the lines of each kernel,
// and highlighted lines of the active stage. Only visible lines are coloured, so that a text of any
// length is shown at once.
class CodeView : public QPlainTextEdit {
  Q_OBJECT
public:
  // For each mark the number of its kernel's colour, which is shown beside its lines; 0: none.
  using KernelColours = std::vector<int>;

  explicit CodeView(QWidget *parent = nullptr);

  void showText(CodeKind kind, const QString &text, std::vector<LineMark> marks,
                KernelColours colours);
  // The marks refer to the lines of the merged text.
  void showDifference(CodeKind kind, const TextDifference &difference, std::vector<LineMark> marks,
                      KernelColours colours);

  const std::vector<LineMark> &marks() const { return m_marks; }
  enum class Scroll { No, ToFirst };
  void light(std::optional<Subject> subject, Scroll scroll); // highlights the stage's lines
  int litLines() const;

  // Finds `text`. matches() is the number of matches, and currentMatch() counts from 1.
  void search(const QString &text);
  void findNext(bool backwards);
  int matches() const { return int(m_matches.size()); }
  int currentMatch() const;

  int marginWidth() const;
  void paintMargin(QPaintEvent *event);

signals:
  void lineChosen(int line); // the user has chosen a line, counted from 0
  void matchesChanged();

protected:
  void paintEvent(QPaintEvent *event) override;
  void resizeEvent(QResizeEvent *event) override;
  void changeEvent(QEvent *event) override;
  void mouseReleaseEvent(QMouseEvent *event) override;
  void keyReleaseEvent(QKeyEvent *event) override;

private:
  void load(CodeKind kind, const QString &text);
  void replaceLines(const QString &text);
  void colourSeen();
  void colour(QTextBlock &block) const;
  bool isLit(const LineMark &mark) const;
  void paintBackgrounds(QPaintEvent *event);
  template <typename Visit>
  // Calls `visit` with each visible block and the block's rectangle.
  void forSeen(const QRect &area, const Visit &visit);
  void showMatch(std::size_t index);

  CodeKind m_kind = CodeKind::Cpp;
  std::vector<LineMark> m_marks;
  KernelColours m_colours;
  std::vector<LineChange> m_changes; // set while a difference is shown
  std::optional<Subject> m_lit;
  QString m_text, m_wanted;
  std::vector<int> m_matches; // positions in m_text
  // Number of the current colours; a block with an older number is coloured again.
  int m_generation = 0;
  QWidget *m_margin = nullptr;
};

} // namespace tessera::views

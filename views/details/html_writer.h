// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPalette>
#include <QString>
#include <QStringList>
#include <QUrl>

namespace tessera::views {

// Writes the subset of HTML that Qt's rich text understands, in the palette's colours. Cells and
// paragraphs take markup: pass plain text through escaped().
class HtmlWriter {
public:
  explicit HtmlWriter(const QPalette &palette);

  static QString escaped(const QString &text) { return text.toHtmlEscaped(); }
  QString code(const QString &text) const;
  QString faint(const QString &markup) const;
  QString link(const QUrl &target, const QString &text) const;

  void title(const QString &text, const QString &subtitle);
  void heading(const QString &text);
  void paragraph(const QString &markup);
  void codeBlock(const QString &text);
  void beginTable(const QStringList &heads);
  void row(const QStringList &cells);
  void endTable();

  QString finish() { return m_html; }

private:
  QString m_text, m_faint, m_line, m_codeBase, m_link;
  QString m_html;
};

} // namespace tessera::views

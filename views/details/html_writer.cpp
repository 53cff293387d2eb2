// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/details/html_writer.h"

#include "views/theme/theme.h"

namespace tessera::views {

HtmlWriter::HtmlWriter(const QPalette &palette) {
  const Colors colors(palette);
  m_text = colors.text.name();
  m_faint = colors.faintText.name();
  m_line = colors.line.name();
  m_codeBase = mix(colors.canvas, colors.text, 0.05).name();
  m_link = palette.color(QPalette::Link).name();
}

QString HtmlWriter::code(const QString &text) const {
  return QStringLiteral("<span style='font-family:monospace'>%1</span>").arg(escaped(text));
}

QString HtmlWriter::faint(const QString &markup) const {
  return QStringLiteral("<span style='color:%1'>%2</span>").arg(m_faint, markup);
}

QString HtmlWriter::link(const QUrl &target, const QString &text) const {
  return QStringLiteral("<a href='%1' style='color:%2;text-decoration:none;font-family:monospace'>"
                        "%3</a>")
      .arg(target.toString(), m_link, escaped(text));
}

void HtmlWriter::title(const QString &text, const QString &subtitle) {
  m_html += QStringLiteral("<p style='margin:0 0 2px 0'><span style='font-size:large;"
                           "font-weight:600'>%1</span></p><p style='margin:0;color:%2'>%3</p>")
                .arg(escaped(text), m_faint, escaped(subtitle));
}

void HtmlWriter::heading(const QString &text) {
  m_html +=
      QStringLiteral("<p style='margin:14px 0 4px 0;font-weight:600'>%1</p>").arg(escaped(text));
}

void HtmlWriter::paragraph(const QString &markup) {
  m_html += QStringLiteral("<p style='margin:6px 0'>%1</p>").arg(markup);
}

void HtmlWriter::codeBlock(const QString &text) {
  m_html += QStringLiteral("<table width='100%' cellpadding='8' bgcolor='%1'><tr><td>"
                           "<div style='font-family:monospace;white-space:pre-wrap'>%2</div>"
                           "</td></tr></table>")
                .arg(m_codeBase, escaped(text));
}

void HtmlWriter::beginTable(const QStringList &heads) {
  m_html += QStringLiteral("<table cellspacing='0' cellpadding='2'><tr>");
  for (const QString &head : heads)
    m_html += QStringLiteral("<td style='color:%1;padding-right:16px'>%2</td>")
                  .arg(m_faint, escaped(head));
  m_html += QStringLiteral("</tr>");
}

void HtmlWriter::row(const QStringList &cells) {
  m_html += QStringLiteral("<tr>");
  for (const QString &cell : cells)
    m_html += QStringLiteral("<td style='padding-right:16px'>%1</td>").arg(cell);
  m_html += QStringLiteral("</tr>");
}

// Qt's rich text drops the margin of a heading after a table; the empty line restores it.
void HtmlWriter::endTable() {
  m_html += QStringLiteral("</table><p style='margin:0;font-size:2px'>&nbsp;</p>");
}

} // namespace tessera::views

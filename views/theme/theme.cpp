// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/theme/theme.h"

#include "views/theme/box_style.h"

#include <QApplication>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <utility>

namespace tessera::views {

namespace {

using Roles = std::initializer_list<std::pair<QPalette::ColorRole, QRgb>>;

QPalette paletteOf(Roles roles, QRgb disabledText) {
  QPalette palette;
  for (const auto &[role, color] : roles)
    palette.setColor(role, QColor(color));
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
    palette.setColor(QPalette::Disabled, role, QColor(disabledText));
  palette.setColor(QPalette::Disabled, QPalette::Highlight, palette.color(QPalette::Mid));
  return palette;
}

} // namespace

QPalette lightPalette() {
  return paletteOf({{QPalette::Window, 0xf4f5f7},      {QPalette::WindowText, 0x1f2430},
                    {QPalette::Base, 0xffffff},        {QPalette::AlternateBase, 0xf8f9fb},
                    {QPalette::Text, 0x1f2430},        {QPalette::PlaceholderText, 0x8b93a1},
                    {QPalette::Button, 0xf4f5f7},      {QPalette::ButtonText, 0x1f2430},
                    {QPalette::BrightText, 0xffffff},  {QPalette::Light, 0xffffff},
                    {QPalette::Midlight, 0xe9ebef},    {QPalette::Mid, 0xc9ced6},
                    {QPalette::Dark, 0xa3aab6},        {QPalette::Shadow, 0x6b7280},
                    {QPalette::Highlight, 0x2f6fde},   {QPalette::HighlightedText, 0xffffff},
                    {QPalette::Link, 0x2460c4},        {QPalette::LinkVisited, 0x2460c4},
                    {QPalette::ToolTipBase, 0xffffff}, {QPalette::ToolTipText, 0x1f2430}},
                   0x9aa1ad);
}

QPalette darkPalette() {
  return paletteOf({{QPalette::Window, 0x23262d},      {QPalette::WindowText, 0xdfe3ea},
                    {QPalette::Base, 0x1b1e24},        {QPalette::AlternateBase, 0x20232a},
                    {QPalette::Text, 0xdfe3ea},        {QPalette::PlaceholderText, 0x7d8592},
                    {QPalette::Button, 0x2b2f37},      {QPalette::ButtonText, 0xdfe3ea},
                    {QPalette::BrightText, 0xffffff},  {QPalette::Light, 0x3a3f49},
                    {QPalette::Midlight, 0x31353e},    {QPalette::Mid, 0x434954},
                    {QPalette::Dark, 0x15171c},        {QPalette::Shadow, 0x98a1af},
                    {QPalette::Highlight, 0x4c8bf5},   {QPalette::HighlightedText, 0xffffff},
                    {QPalette::Link, 0x7fb0ff},        {QPalette::LinkVisited, 0x7fb0ff},
                    {QPalette::ToolTipBase, 0x2b2f37}, {QPalette::ToolTipText, 0xdfe3ea}},
                   0x6a7280);
}

bool isDark(const QPalette &palette) {
  return palette.color(QPalette::Window).lightness() <
         palette.color(QPalette::WindowText).lightness();
}

void applyAppearance(Appearance appearance, bool systemIsDark) {
  if (!qobject_cast<BoxStyle *>(QApplication::style())) QApplication::setStyle(new BoxStyle);
  const bool dark =
      appearance == Appearance::Dark || (appearance == Appearance::System && systemIsDark);
  QApplication::setPalette(dark ? darkPalette() : lightPalette());
}

QColor mix(const QColor &a, const QColor &b, double shareOfB) {
  const auto channel = [&](double x, double y) { return x + (y - x) * shareOfB; };
  return QColor::fromRgbF(float(channel(a.redF(), b.redF())),
                          float(channel(a.greenF(), b.greenF())),
                          float(channel(a.blueF(), b.blueF())));
}

Colors::Colors(const QPalette &palette)
    : dark(isDark(palette)), canvas(palette.color(QPalette::Base)),
      text(palette.color(QPalette::Text)), faintText(mix(canvas, text, 0.62)),
      line(mix(canvas, text, dark ? 0.16 : 0.13)), edge(mix(canvas, text, dark ? 0.46 : 0.45)),
      edgeFar(mix(canvas, text, dark ? 0.26 : 0.22)), accent(palette.color(QPalette::Highlight)),
      producer(dark ? QColor(0x5fb3d9) : QColor(0x1579a8)),
      consumer(dark ? QColor(0xe39a6b) : QColor(0xb85a1e)),
      error(dark ? QColor(0xf28b82) : QColor(0xc0392b)),
      warning(dark ? QColor(0xe6b450) : QColor(0xa86a00)),
      success(dark ? QColor(0x7fc48a) : QColor(0x2e7d4f)) {}

// The hues differ in lightness too, for users with colour blindness. The shape of a node shows the
// same information.
QColor Colors::hue(StageKind kind, bool isOutput) const {
  if (kind == StageKind::Extern) return dark ? QColor(0xe08fa8) : QColor(0xa83a5f);
  if (isOutput) return dark ? QColor(0x7fc48a) : QColor(0x2e8b57);
  switch (kind) {
  case StageKind::Input:
  case StageKind::Scalar:
    return dark ? QColor(0x62b0e8) : QColor(0x2b7fc3);
  case StageKind::Reduction:
    return dark ? QColor(0xe6b450) : QColor(0xc98a12);
  case StageKind::Update:
    return dark ? QColor(0xb79be0) : QColor(0x7b5fb8);
  case StageKind::Pure:
  case StageKind::Extern:
    break;
  }
  return dark ? QColor(0x9aa6b8) : QColor(0x64748b);
}

QColor Colors::nodeFill(StageKind kind, bool isOutput) const {
  return mix(canvas, hue(kind, isOutput), dark ? 0.17 : 0.10);
}

QColor Colors::nodeBlock(StageKind kind, bool isOutput) const {
  return mix(canvas, hue(kind, isOutput), 0.55);
}

// Hues start at the palette's accent and advance by the golden angle, so that any number of kernels
// is spread evenly. Every other hue is lighter, for users with colour blindness.
QColor Colors::kernelHue(int colour) const {
  constexpr double kGoldenAngle = 0.381966;
  const double turns = std::max(accent.hslHueF(), 0.0F) + (colour - 1) * kGoldenAngle;
  const double lightness = (dark ? 0.58 : 0.42) + (colour % 2 ? 0 : 0.14);
  return QColor::fromHslF(float(turns - std::floor(turns)), dark ? 0.62F : 0.68F, float(lightness));
}

QColor Colors::kernelFill(int colour) const {
  return mix(canvas, kernelHue(colour), dark ? 0.38 : 0.26);
}

QColor Colors::kernelBlock(int colour) const { return mix(canvas, kernelHue(colour), 0.7); }

// With a higher cost, the colour goes from that of the canvas through yellow to red. On a light
// canvas it also gets darker, on a dark canvas more saturated.
QColor Colors::heat(double part) const {
  const QColor warm = dark ? QColor(0xb98a2e) : QColor(0xf5c451);
  const QColor hot = dark ? QColor(0xe5484d) : QColor(0xd6453d);
  const double t = std::clamp(part, 0.0, 1.0);
  const double least = dark ? 0.1 : 0.06;
  return t < 0.5 ? mix(canvas, warm, least + (1 - least) * t * 2) : mix(warm, hot, t * 2 - 1);
}

// Chooses black or white, whichever contrasts more by relative luminance (channel weights as in
// WCAG 2).
QColor Colors::onTop(const QColor &color) const {
  const auto linear = [](double channel) { return std::pow(channel, 2.2); };
  const double luminance = 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) +
                           0.0722 * linear(color.blueF());
  return luminance > 0.18 ? QColor(Qt::black) : QColor(Qt::white);
}

QColor Colors::ghost(const QColor &color) const { return mix(canvas, color, 0.4); }

QColor Colors::nodeBorder(StageKind kind, bool isOutput) const {
  return mix(canvas, hue(kind, isOutput), 0.72);
}

} // namespace tessera::views

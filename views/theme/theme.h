// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/text/stage_summary.h"

#include <QColor>
#include <QPalette>

namespace tessera::views {

enum class Appearance : std::uint8_t { System, Light, Dark };

// Our palettes: Fusion's own greys are louder than what they carry.
QPalette lightPalette();
QPalette darkPalette();

// Style and palette of the whole program. `systemIsDark` is what System means: the desktop's
// choice, which main() reads before it sets a palette of ours.
void applyAppearance(Appearance appearance, bool systemIsDark);

bool isDark(const QPalette &palette);
QColor mix(const QColor &a, const QColor &b, double shareOfB);

// Colours that a palette has no role for, made from it so that they fit dark and light.
struct Colors {
  explicit Colors(const QPalette &palette);

  QColor hue(StageKind kind, bool isOutput) const; // pure, saturated
  QColor nodeFill(StageKind kind, bool isOutput) const;
  QColor nodeBlock(StageKind kind, bool isOutput) const; // when nodes are small blocks of colour
  QColor nodeBorder(StageKind kind, bool isOutput) const;

  // Of a kernel, numbers from 1. Neighbouring numbers lie far apart; after many it begins to look
  // alike, so the number stands beside it.
  QColor kernelHue(int kernel) const;
  QColor kernelFill(int kernel) const;
  QColor kernelBlock(int kernel) const;
  QColor heat(double part) const;          // of a cost, 0 … 1: none to the most there is
  QColor onTop(const QColor &color) const; // text that can be read on it
  QColor ghost(const QColor &color) const; // of what is not computed as such

  bool dark = false;
  QColor canvas, text, faintText, line;
  QColor edge, edgeFar;      // edgeFar: where many lie side by side
  QColor accent;             // selected
  QColor producer, consumer; // of what is hovered or selected
  QColor error, warning, success;
};

} // namespace tessera::views

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <cstdint>

namespace tessera::views {

// A count with its noun and grouped digits: "1 stage", "1,024 stages". The English singular is in
// the source, so that English needs no translation file; other languages choose the form by the
// number.
QString funcsText(std::int64_t count);
QString stagesText(std::int64_t count);
QString edgesText(std::int64_t count);
QString blocksText(std::int64_t count);
QString warpsText(std::int64_t count);

// A number with the same plural form as `count`: Qt takes only an int, and languages choose the
// form by the last digits, which stay the same.
int numerus(std::int64_t count);

} // namespace tessera::views

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/pipeline/pipeline.h"
#include "views/flows/shown_schedule.h"
#include "views/text/subject.h"

#include <QPalette>
#include <QString>
#include <QUrl>

#include <optional>

namespace tessera::views {

// Everything known about a stage or input, as rich text. Names of other stages are links whose
// target subjectOf() reads. If `shown` was found by an algorithm with costs of its own, these of
// the stage's kernel are part of it.
QString detailsHtml(const pipeline::Pipeline &pipeline, Subject subject, const QPalette &palette,
                    const ShownSchedulePtr &shown = nullptr);

// An overview of the pipeline, shown while nothing is selected.
QString overviewHtml(const pipeline::Pipeline &pipeline, const QPalette &palette);

QUrl linkTo(Subject subject);
std::optional<Subject> subjectOf(const QUrl &link);

} // namespace tessera::views

// SPDX-License-Identifier: MIT
#include "engine/schedule/text/schedule_text.h"

#include "engine/schedule/text/cpp_parser.h"
#include "engine/base/escape.h"
#include "engine/report/promise.h"
#include "engine/schedule/directives/lasting_names.h"
#include "engine/schedule/directives/lower.h"
#include "engine/schedule/directives/raise.h"

#include <utility>

namespace tessera::schedule {

namespace {

// Makes an error printable: it may quote unprintable characters in names or promises of the text.
Error shown(Error error) { return {error.code, printable(error.message), printable(error.hint)}; }

// Unknown names usually mean that the text was made for another pipeline.
Error about(const TextHeader &header, const pipeline::Pipeline &pipeline, Error error) {
  if (!header.pipeline.empty() && header.pipeline != pipeline.name())
    error.hint += (error.hint.empty() ? "" : " ") + std::string("The schedule was made for '") +
                  header.pipeline + "', but the pipeline is '" + pipeline.name() + "'.";
  return error;
}

} // namespace

TextHeader headerOf(const Schedule &schedule) {
  TextHeader header;
  header.pipeline = schedule.base()->name();
  header.registerCap = schedule.settings().registerCap;
  for (report::Promise promise : schedule.settings().promises) {
    promise.buffer = lastingBuffer(promise.buffer);
    if (std::string text = textOf(promise); !text.empty())
      header.promises.push_back(std::move(text));
  }
  return header;
}

WrittenSchedule writtenForm(const Schedule &schedule) {
  auto [directives, names] = withLastingNames(lower(schedule), *schedule.base());
  return {headerOf(schedule), std::move(directives), std::move(names)};
}

Result<Schedule> scheduleFromCpp(pipeline::PipelinePtr pipeline, std::string_view text) {
  const auto written = parseCpp(text);
  if (!written) return written.error();
  Settings settings;
  if (written->header.registerCap) settings.registerCap = *written->header.registerCap;
  for (const std::string &sentence : written->header.promises) {
    auto promise = report::promiseFromText(sentence);
    if (!promise) return shown(promise.error());
    promise->buffer = bufferNamed(*pipeline, promise->buffer);
    settings.promises.push_back(std::move(*promise));
  }
  const auto directives = withNamesOf(*pipeline, {written->directives, written->names});
  if (!directives) return shown(about(written->header, *pipeline, directives.error()));
  auto schedule = raise(pipeline, *directives);
  if (!schedule) return shown(about(written->header, *pipeline, schedule.error()));
  schedule->set(std::move(settings));
  return schedule;
}

} // namespace tessera::schedule

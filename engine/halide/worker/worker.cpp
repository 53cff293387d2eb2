// SPDX-License-Identifier: MIT
#include "engine/halide/worker/worker.h"

#include "engine/halide/worker/compile_request.h"
#include "engine/halide/worker/peer.h"
#include "engine/halide/worker/request.h"
#include "engine/base/sha256.h"
#include "engine/halide/compile/compile.h"
#include "engine/halide/compile/extern_functions.h"
#include "engine/halide/file_io.h"
#include "engine/halide/guard.h"
#include "engine/halide/import/found_schedule.h"
#include "engine/halide/import/import.h"
#include "engine/halide/import/own_schedule.h"
#include "engine/halide/verify/small_size.h"
#include "engine/halide/verify/verify.h"
#include "engine/job/sanitized.h"
#include "engine/pipeline/json.h"
#include "engine/schedule/words/directive_json.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <memory>
#include <new>

namespace tessera::halide {

namespace {

using nlohmann::json;

// Halide recurses over expressions, and a generator can write a sum of a thousand terms.
constexpr std::size_t kStackBytes = std::size_t{256} << 20;

job::Reply refuse(Error error) {
  job::Reply reply;
  reply.outcome = Outcome::CompileError;
  reply.error = std::move(error);
  return reply;
}

job::Reply outOfMemory(const job::WorkerRequest &request) {
  job::Reply reply;
  reply.outcome = Outcome::HostMemory;
  reply.error = {ErrorCode::WorkerFailed, request.type + ": out of memory",
                 "Give the worker more memory, or open a smaller pipeline."};
  return reply;
}

job::Reply answer(json body) {
  job::Reply reply;
  reply.outcome = Outcome::Ok;
  reply.body = std::move(body);
  return reply;
}

// Runs a handler on a large stack and turns whatever it throws into a reply.
template <typename Handler>
job::WorkerHandler contained(Handler handler) {
  return [handler](const job::WorkerRequest &request) {
    job::Reply reply;
    try {
      Halide::Internal::run_with_large_stack([&] { reply = handler(request); });
    } catch (const Halide::Error &e) {
      // If there is no memory for the large stack itself, Halide's text says "mprotect failed".
      const std::string text = textOf(e);
      const bool noStack = text.find("mprotect failed") != std::string::npos;
      reply = noStack ? outOfMemory(request)
                      : refuse({ErrorCode::InputRefused, request.type + ": " + text, ""});
    } catch (const std::bad_alloc &) {
      reply = outOfMemory(request);
    } catch (const std::exception &e) {
      reply = refuse({ErrorCode::WorkerFailed, request.type + ": " + e.what(), ""});
    }
    return reply;
  };
}

PhaseCallback phasesOf(const job::WorkerRequest &request) {
  return [&request](const std::string &phase, double fraction) {
    if (request.progress) request.progress({phase, fraction});
  };
}

// Answers with the file's own schedule, which the client applies to the unscheduled pipeline.
job::Reply answerSchedule(const job::WorkerRequest &request) {
  auto options = importOptionsFrom(request.fields);
  if (!options) return refuse(options.error());
  auto loaded = loadPipeline(options->path, options->sidecar);
  if (!loaded) return refuse(loaded.error());
  const schedule::FoundCalls found = foundSchedule(loaded->pipeline);
  json others = json::array(), promises = json::array();
  for (const schedule::OtherCall &other : found.others)
    others.push_back({{"call", other.text}, {"makes_loops", other.makesLoops}});
  for (const report::Promise &promise : found.promises)
    promises.push_back(report::textOf(promise));
  return answer({{"directives", json(schedule::toJson(found.directives))},
                 {"others", others},
                 {"promises", promises},
                 {"unsaid_promises", found.unsaidPromises}});
}

// The same import from another file, under the same name.
ImportOptions importsFrom(ImportOptions options, const std::string &path) {
  if (options.name.empty()) options.name = std::filesystem::path(options.path).stem().string();
  options.path = path;
  options.sidecar.clear();
  return options;
}

// With "unscheduled", the path of a new file, a pipeline that has a schedule of its own is written
// there without it, and imported from there; the reply says so. With "refuses_own_schedule", such a
// pipeline is not imported, so that a path is only needed for it.
job::Reply importPipeline(const job::WorkerRequest &request) {
  auto options = importOptionsFrom(request.fields);
  if (!options) return refuse(options.error());
  const std::string into = request.fields.value("unscheduled", "");
  const bool refusesOwn = request.fields.value("refuses_own_schedule", false);
  bool isUnscheduled = false;
  if (!into.empty()) {
    const auto written = writeUnscheduled(options->path, options->sidecar, into);
    if (!written) return refuse(written.error());
    isUnscheduled = *written;
    if (isUnscheduled) *options = importsFrom(std::move(*options), into);
  }
  auto prepared = preparePipeline(*options, phasesOf(request));
  if (!prepared) return refuse(prepared.error());
  if (refusesOwn && hasOwnSchedule(prepared->loaded.pipeline))
    return answer({{"has_own_schedule", true}});
  auto parts = partsOf(*prepared, *options, phasesOf(request));
  if (!parts) return refuse(parts.error());
  return answer({{"pipeline", json(pipeline::toJson(*parts))}, {"is_unscheduled", isUnscheduled}});
}

using PreparedPtr = std::shared_ptr<const PreparedPipeline>;

// The last two pipelines of "boxes", "compile", "excerpt" and "verify" requests. They are kept
// because thousands of these requests come for one file; two, since those for the kernels of a
// pipeline alternate between it and what is cut out.
class LastPipelines {
public:
  Result<PreparedPtr> recall(const job::WorkerRequest &request);

private:
  struct Kept {
    std::string key;
    PreparedPtr prepared;
  };
  Kept m_last, m_before;
};

Result<PreparedPtr> LastPipelines::recall(const job::WorkerRequest &request) {
  auto options = importOptionsFrom(request.fields);
  if (!options) return options.error();
  auto bytes = readFile(options->path, std::size_t{1} << 30);
  if (!bytes) return bytes.error();
  const json sidecar = request.fields.value("sidecar", json());
  const std::string key =
      json{options->path, sha256Hex(std::as_bytes(std::span(*bytes))), sidecar,
           request.fields.value("estimates", json()), request.fields.value("promises", json())}
          .dump();
  if (key == m_last.key) return m_last.prepared;
  std::swap(m_last, m_before);
  if (key == m_last.key) return m_last.prepared;
  m_last = {}; // before the next one takes its memory
  auto prepared = preparePipeline(*options, phasesOf(request));
  if (!prepared) return prepared.error();
  m_last = {key, std::make_shared<const PreparedPipeline>(std::move(*prepared))};
  return m_last.prepared;
}

json boxToJson(const pipeline::Box &box) {
  json result = json::array();
  for (const pipeline::Interval &side : box) {
    json low, high; // null: the end is not constant
    if (side.min != pipeline::kMinusInfinity) low = side.min;
    if (side.max != pipeline::kPlusInfinity) high = side.max;
    result.push_back(json::array({low, high}));
  }
  return result;
}

Result<json> boxesOf(const PreparedPipeline &prepared, const TileQuery &query) {
  std::size_t index = query.stage;
  for (std::size_t f = 0; f < prepared.resolved.funcs.size(); ++f) {
    const auto &stages = prepared.resolved.funcs[f].stages;
    if (index >= stages.size()) {
      index -= stages.size();
      continue;
    }
    const std::vector<pipeline::LoopDim> &loops = prepared.regions.loops[f][index];
    const std::string name = prepared.resolved.stageName(stages[index]);
    if (loops.size() != query.loops.size())
      return Error{ErrorCode::Usage,
                   name + " has " + std::to_string(loops.size()) + " loops, the tile has " +
                       std::to_string(query.loops.size()),
                   ""};
    json required = json::object();
    for (const auto &[producer, box] :
         requiredBoxes(stages[index], loops, query.loops, prepared.resolved.values))
      required[producer] = boxToJson(box);
    return json{{"stage", query.stage}, {"required", std::move(required)}};
  }
  return Error{ErrorCode::Usage, "no such stage", ""};
}

job::Reply answerBoxes(LastPipelines &last, const job::WorkerRequest &request) {
  auto prepared = last.recall(request);
  if (!prepared) return refuse(prepared.error());
  auto tiles = tilesFrom(request.fields, (*prepared)->resolved);
  if (!tiles) return refuse(tiles.error());
  json boxes = json::array();
  for (const TileQuery &query : *tiles) {
    auto entry = boxesOf(**prepared, query);
    if (!entry) return refuse(entry.error());
    boxes.push_back(std::move(*entry));
  }
  return answer({{"boxes", std::move(boxes)}});
}

job::Reply compile(LastPipelines &last, const job::WorkerRequest &request) {
  const auto options = compileOptionsFrom(request.fields);
  if (!options) return refuse(options.error());
  auto prepared = last.recall(request);
  if (prepared && options->small)
    prepared = shrunk(*prepared, options->import, options->directives,
                      firstStep(**prepared, options->directives, kNarrowestStep));
  if (!prepared) return refuse(prepared.error());
  const auto compiled = compileBundle(**prepared, *options, phasesOf(request));
  if (!compiled) return refuse(compiled.error());
  json seconds = json::object();
  for (const auto &[phase, time] : compiled->seconds)
    seconds[phase] = time;
  return answer({{"report", json(report::toJson(compiled->report))}, {"seconds", seconds}});
}

job::Reply excerpt(LastPipelines &last, const job::WorkerRequest &request) {
  const auto options = excerptOptionsFrom(request.fields);
  if (!options) return refuse(options.error());
  const auto prepared = last.recall(request);
  if (!prepared) return refuse(prepared.error());
  if (const Status written = writeExcerpt(**prepared, *options, phasesOf(request)); !written)
    return refuse(written.error());
  return answer(json::object());
}

job::Reply peer(const job::WorkerRequest &request) {
  const auto options = peerOptionsFrom(request.fields);
  if (!options) return refuse(options.error());
  const auto prepared = preparePipeline(options->import, phasesOf(request));
  if (!prepared) return refuse(prepared.error());
  const auto scheduled = schedulePeer(*prepared, *options, phasesOf(request));
  if (!scheduled) return refuse(scheduled.error());
  json body{{"seconds", scheduled->seconds}};
  if (scheduled->cost) body["cost"] = *scheduled->cost;
  return answer(std::move(body));
}

job::Reply verify(LastPipelines &last, Verifier &verifier, const job::WorkerRequest &request) {
  const auto options = verifyOptionsFrom(request.fields);
  if (!options) return refuse(options.error());
  const auto prepared = last.recall(request);
  if (!prepared) return refuse(prepared.error());
  if (!options->functions.empty())
    if (const Status loaded = loadFunctions(options->functions); !loaded)
      return refuse(loaded.error());
  const VerifyResult result = verifier.verify(*prepared, *options, phasesOf(request));
  if (result.outcome == Outcome::Ok) return answer(json(report::toJson(result.report)));
  job::Reply reply = refuse(result.error);
  reply.outcome = result.outcome;
  return reply;
}

} // namespace

job::WorkerHandlers workerHandlers() {
  // AddressSanitizer does not know of a stack that a thread changes to: then there is none.
  Halide::set_compiler_stack_size(job::kSanitized ? 0 : kStackBytes);
  const auto last = std::make_shared<LastPipelines>();
  job::WorkerHandlers handlers;
  handlers.byType.emplace_back("import", contained(importPipeline));
  handlers.byType.emplace_back("schedule", contained(answerSchedule));
  handlers.byType.emplace_back("boxes", contained([last](const job::WorkerRequest &request) {
                                 return answerBoxes(*last, request);
                               }));
  handlers.byType.emplace_back("compile", contained([last](const job::WorkerRequest &request) {
                                 return compile(*last, request);
                               }));
  handlers.byType.emplace_back("excerpt", contained([last](const job::WorkerRequest &request) {
                                 return excerpt(*last, request);
                               }));
  handlers.byType.emplace_back("peer", contained(peer));
  const auto verifier = std::make_shared<Verifier>();
  handlers.byType.emplace_back("verify",
                               contained([last, verifier](const job::WorkerRequest &request) {
                                 return verify(*last, *verifier, request);
                               }));
  return handlers;
}

} // namespace tessera::halide

// SPDX-License-Identifier: MIT
#include "engine/job/reply.h"

#include "engine/job/json_member.h"

#include <nlohmann/json.hpp>

#include <array>
#include <optional>
#include <utility>

namespace tessera::job {
namespace {

using nlohmann::json;

constexpr std::array<std::pair<ErrorCode, std::string_view>, 6> kCodes{{
    {ErrorCode::Usage, "usage"},
    {ErrorCode::InputRefused, "input refused"},
    {ErrorCode::NotTrusted, "not trusted"},
    {ErrorCode::WorkerFailed, "worker failed"},
    {ErrorCode::Cancelled, "cancelled"},
    {ErrorCode::System, "system"},
}};

constexpr std::array<std::pair<ErrorRemedy, std::string_view>, 3> kRemedies{{
    {ErrorRemedy::Estimates, "estimates"},
    {ErrorRemedy::Parameters, "parameters"},
    {ErrorRemedy::Build, "build"},
}};

std::optional<ErrorCode> codeFromName(std::string_view text) {
  for (const auto &[code, codeName] : kCodes)
    if (codeName == text) return code;
  return std::nullopt;
}

void putRemedy(json &fields, const Error &error) {
  for (const auto &[remedy, remedyName] : kRemedies)
    if (remedy == error.remedy) fields["remedy"] = remedyName;
  for (const Asked &one : error.asked)
    fields["asked"].push_back({{"option", one.option}, {"value", one.value}});
}

void takeRemedy(const json &fields, Error &error) {
  for (const auto &[remedy, remedyName] : kRemedies)
    if (remedyName == textAt(fields, "remedy")) error.remedy = remedy;
  const auto asked = fields.find("asked");
  if (asked == fields.end() || !asked->is_array()) return;
  for (const json &one : *asked)
    if (one.is_object()) error.asked.push_back({textAt(one, "option"), textAt(one, "value")});
}

} // namespace

std::string_view name(ErrorCode code) {
  for (const auto &[known, codeName] : kCodes)
    if (known == code) return codeName;
  return "worker failed";
}

Reply failed(Outcome outcome, ErrorCode code, std::string message, std::string hint) {
  return {outcome, nullptr, {code, std::move(message), std::move(hint)}};
}

Reply failed(Outcome outcome, std::string message, std::string hint) {
  return failed(outcome, errorCode(outcome), std::move(message), std::move(hint));
}

json progressMessage(std::uint64_t id, const Progress &progress) {
  json message{
      {"id", id}, {"type", "progress"}, {"phase", progress.phase}, {"fraction", progress.fraction}};
  if (progress.item) message["item"] = *progress.item;
  return message;
}

json replyMessage(std::uint64_t id, Reply reply) {
  json message{{"id", id}, {"type", "reply"}, {"outcome", tessera::name(reply.outcome)}};
  if (reply.outcome == Outcome::Ok)
    message["body"] = std::move(reply.body);
  else
    message["error"] = {{"code", name(reply.error.code)},
                        {"message", std::move(reply.error.message)},
                        {"hint", std::move(reply.error.hint)}};
  if (reply.outcome != Outcome::Ok) putRemedy(message["error"], reply.error);
  return message;
}

json greeting(const std::string &version) { return {{"type", "hello"}, {"version", version}}; }

bool isGreeting(const json &message) { return textAt(message, "type") == "hello"; }

std::string versionFromGreeting(const json &message) { return textAt(message, "version"); }

Result<Reply> replyFromMessage(json message) {
  const std::string outcomeName = textAt(message, "outcome");
  const auto broken = [](std::string cause) {
    return Error{ErrorCode::WorkerFailed, std::move(cause), ""};
  };
  const std::optional<Outcome> outcome = outcomeFromName(outcomeName);
  if (!outcome) return broken("a reply with the unknown outcome '" + outcomeName + "'");
  if (*outcome == Outcome::Ok) {
    if (!message.contains("body")) return broken("a reply without a body");
    return Reply{Outcome::Ok, std::move(message["body"]), {}};
  }
  const auto error = message.find("error");
  if (error == message.end() || !error->is_object())
    return broken("the reply '" + outcomeName + "' without an error");
  const ErrorCode code = codeFromName(textAt(*error, "code")).value_or(errorCode(*outcome));
  Reply reply = failed(*outcome, code, textAt(*error, "message"), textAt(*error, "hint"));
  takeRemedy(*error, reply.error);
  return reply;
}

Progress progressFromMessage(const json &message) {
  Progress progress;
  progress.phase = textAt(message, "phase");
  const auto fraction = message.find("fraction");
  if (fraction != message.end() && fraction->is_number())
    progress.fraction = fraction->get<double>();
  const auto item = message.find("item");
  if (item != message.end() && item->is_number_unsigned()) progress.item = item->get<std::size_t>();
  return progress;
}

} // namespace tessera::job

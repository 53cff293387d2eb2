// SPDX-License-Identifier: MIT
#include "engine/halide/lowered/host_calls.h"

#include "engine/halide/lowered/evaluator.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace tessera::halide::lowered {

namespace {

using Halide::Expr;
namespace ir = Halide::Internal;

constexpr std::string_view kOfBuffer = "_halide_buffer_";

// Calls of the runtime that return 0 where they succeed.
constexpr std::array kSuccessful{"halide_device_malloc",
                                 "halide_device_free",
                                 "halide_device_and_host_malloc",
                                 "halide_device_and_host_free",
                                 "halide_copy_to_device",
                                 "halide_copy_to_host",
                                 "halide_device_sync",
                                 "_halide_buffer_set_host_dirty",
                                 "_halide_buffer_set_device_dirty"};
// Calls whose result is a pointer or a number that only other such calls use.
constexpr std::array kOpaque{"make_struct",
                             "alloca",
                             "size_of_halide_buffer_t",
                             "register_destructor",
                             "get_user_context",
                             "stringify",
                             "halide_cuda_device_interface",
                             "_halide_buffer_init",
                             "_halide_buffer_init_from_buffer",
                             "_halide_buffer_set_bounds",
                             "_halide_buffer_crop",
                             "_halide_buffer_get_host",
                             "_halide_buffer_get_device",
                             "_halide_buffer_get_device_interface",
                             "_halide_buffer_get_shape"};

bool isOneOf(const auto &list, const std::string &name) {
  return std::ranges::find(list, std::string_view(name)) != list.end();
}

// What "f.buffer" is the buffer of; nullptr: a buffer that the code makes itself.
const Halide::Buffer<> *bufferOf(const Expr &e,
                                 const std::map<std::string, Halide::Buffer<>> &buffers) {
  const auto *variable = e.as<ir::Variable>();
  constexpr std::string_view kEnd = ".buffer";
  if (!variable || !variable->name.ends_with(kEnd)) return nullptr;
  const auto at = buffers.find(variable->name.substr(0, variable->name.size() - kEnd.size()));
  return at == buffers.end() ? nullptr : &at->second;
}

std::optional<std::int64_t> asked(const ir::Call &op, const Halide::Buffer<> &buffer,
                                  Evaluator &evaluator) {
  const std::string_view what = std::string_view(op.name).substr(kOfBuffer.size());
  if (what == "get_dimensions") return buffer.dimensions();
  if (what == "get_type") return halide_type_t(buffer.type()).as_u32();
  if (what == "get_host_dirty" || what == "get_device_dirty") return 0;
  if (op.args.size() < 2) return std::nullopt;
  const auto d = static_cast<int>(evaluator.number(op.args[1]));
  if (d < 0 || d >= buffer.dimensions()) return std::nullopt;
  if (what == "get_min") return buffer.dim(d).min();
  if (what == "get_max") return buffer.dim(d).max();
  if (what == "get_extent") return buffer.dim(d).extent();
  if (what == "get_stride") return buffer.dim(d).stride();
  return std::nullopt;
}

std::string argumentText(const Expr &e, Evaluator &evaluator) {
  if (const auto *text = e.as<ir::StringImm>()) return text->value;
  if (e.type().is_handle() || !e.type().is_scalar()) return "";
  const ValuePtr value = evaluator.evaluate(e);
  return e.type().is_float() ? std::to_string(value->words[0].f)
                             : std::to_string(value->words[0].i);
}

} // namespace

Value pointer(const Halide::Type &type) {
  constexpr std::int64_t kSomewhere = 1 << 20;
  return Value::ofInteger(type, kSomewhere);
}

std::optional<Value> hostCall(const ir::Call &op,
                              const std::map<std::string, Halide::Buffer<>> &buffers,
                              Evaluator &evaluator) {
  if (op.name == "_halide_buffer_is_bounds_query" || isOneOf(kSuccessful, op.name))
    return Value::ofInteger(op.type, 0);
  if (isOneOf(kOpaque, op.name)) return pointer(op.type);
  if (!op.name.starts_with(kOfBuffer) || op.args.empty()) return std::nullopt;
  const Halide::Buffer<> *buffer = bufferOf(op.args[0], buffers);
  const auto number = buffer ? asked(op, *buffer, evaluator) : std::nullopt;
  return number ? std::optional(Value::ofInteger(op.type, *number)) : std::nullopt;
}

// Halide names what a call uses more than once.
std::string complaintOf(const Expr &message, Evaluator &evaluator) {
  if (const auto *let = message.as<ir::Let>())
    return complaintOf(ir::substitute(let->name, let->value, let->body), evaluator);
  const auto *call = message.as<ir::Call>();
  if (!call) return "a call of the runtime fails";
  constexpr std::string_view kStart = "halide_error_";
  std::string text = call->name.starts_with(kStart) ? call->name.substr(kStart.size()) : call->name;
  std::ranges::replace(text, '_', ' ');
  std::string_view between = ": ";
  for (const Expr &argument : call->args) {
    const std::string word = argumentText(argument, evaluator);
    if (word.empty()) continue;
    text.append(between).append(word);
    between = ", ";
  }
  return text;
}

} // namespace tessera::halide::lowered

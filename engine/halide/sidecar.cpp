// SPDX-License-Identifier: MIT
#include "engine/halide/sidecar.h"

#include "engine/halide/file_io.h"
#include "engine/halide/size_expressions.h"
#include "engine/base/json_text.h"

#include <nlohmann/json.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cerrno>
#include <limits>
#include <string_view>
#include <utility>

namespace tessera::halide {

namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr std::size_t kMaxSidecarBytes = std::size_t{16} << 20;

// The fewest digits that read back as the same value: "0.01" for the float 0.00999999978.
template <typename Number>
std::string shortest(Number number) {
  std::array<char, 40> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number);
  return {digits.data(), end.ptr};
}

std::optional<std::int64_t> constantOf(const Halide::Expr &e) {
  if (!e.defined()) return std::nullopt;
  const auto value = Halide::Internal::as_const_int(Halide::Internal::simplify(e));
  return value ? std::optional<std::int64_t>(*value) : std::nullopt;
}

std::string typeName(const Halide::Type &type) {
  if (type.is_bool()) return "bool";
  const char *kind = type.is_bfloat()  ? "bfloat"
                     : type.is_float() ? "float"
                     : type.is_uint()  ? "uint"
                     : type.is_int()   ? "int"
                                       : "handle";
  return kind + std::to_string(type.bits());
}

std::optional<Halide::Type> typeFromName(const std::string &name) {
  if (name == "bool") return Halide::Bool();
  const auto digits = name.find_first_of("0123456789");
  if (digits == std::string::npos || name.size() - digits > 2) return std::nullopt;
  const std::string kind = name.substr(0, digits);
  const int bits = std::atoi(name.c_str() + digits);
  if (bits != 1 && bits != 8 && bits != 16 && bits != 32 && bits != 64) return std::nullopt;
  if (kind == "bfloat" && bits == 16) return Halide::BFloat(16);
  if (kind == "float" && bits >= 16) return Halide::Float(bits);
  if (kind == "uint") return Halide::UInt(bits);
  if (kind == "int" && bits >= 8) return Halide::Int(bits);
  if (kind == "handle" && bits == 64) return Halide::Handle();
  return std::nullopt;
}

ordered_json orNull(const std::optional<std::int64_t> &value) {
  return value ? ordered_json(*value) : ordered_json(nullptr);
}

// A promise is a number, or the text of an expression.
ordered_json promiseToJson(const std::optional<std::int64_t> &value,
                           const std::optional<schedule::SizeExpression> &size) {
  return size ? ordered_json(textOf(*size)) : orNull(value);
}

// A scalar is written as a JSON number if its text is one, otherwise (such as "inf") as a string.
ordered_json scalarToJson(const std::string &text) {
  if (text.empty()) return nullptr;
  const json number = json::parse(text, nullptr, false);
  return number.is_number() ? ordered_json(number) : ordered_json(text);
}

std::string scalarFromJson(const json &value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "1" : "0";
  return value.is_number() ? value.dump() : std::string();
}

ordered_json dimsToJson(const std::vector<SidecarDim> &dims) {
  ordered_json list = ordered_json::array();
  for (const SidecarDim &dim : dims) {
    list.push_back({{"min_estimate", orNull(dim.minEstimate)},
                    {"extent_estimate", orNull(dim.extentEstimate)},
                    {"min", promiseToJson(dim.min, dim.minSize)},
                    {"extent", promiseToJson(dim.extent, dim.extentSize)},
                    {"stride", promiseToJson(dim.stride, dim.strideSize)}});
  }
  return list;
}

constexpr const char *kHint =
    "Write the estimates again by capturing the pipeline, or remove the file.";

// Reads JSON members; one that is missing or null counts as not set. Keeps the first error, which
// begins with the path of the member.
class Reader {
public:
  // An object of the document, and the path that leads to it.
  struct Object {
    const json *value;
    std::string path;

    std::string pathOf(const std::string &key) const {
      return path.empty() ? key : path + "." + key;
    }
  };

  std::optional<Error> error;

  void expect(const std::string &path, std::string_view expected, const json &found) {
    if (!error)
      error = Error{ErrorCode::InputRefused,
                    path + (path.empty() ? "" : ": ") + expectedText(expected, found), kHint};
  }

  std::optional<std::int64_t> integer(const Object &object, const char *key) {
    const json *const value = find(object, key);
    if (!value) return std::nullopt;
    const bool fits = value->is_number_integer() &&
                      value->get<std::int64_t>() >= std::numeric_limits<int>::min() &&
                      value->get<std::int64_t>() <= std::numeric_limits<int>::max();
    if (fits) return value->get<std::int64_t>();
    expect(object.pathOf(key), "a whole number of 32 bits", *value);
    return std::nullopt;
  }

  void promise(const Object &object, const char *key, std::optional<std::int64_t> &number,
               std::optional<schedule::SizeExpression> &size) {
    const json *const value = find(object, key);
    if (!value || !value->is_string()) {
      number = integer(object, key);
      return;
    }
    auto read = schedule::sizeExpressionFrom(value->get<std::string>());
    if (read && isCondition(*read) == false)
      size = std::move(*read);
    else
      expect(object.pathOf(key), R"(a number, or a size such as "input.extent.0")", *value);
  }

  std::string text(const Object &object, const char *key) {
    const json *const value = find(object, key);
    if (!value) return {};
    if (value->is_string()) return value->get<std::string>();
    expect(object.pathOf(key), "a word in quotes", *value);
    return {};
  }

  // The objects in a list.
  std::vector<Object> objects(const Object &object, const char *key) {
    std::vector<Object> items;
    const json *const list = find(object, key);
    if (!list) return items;
    if (!list->is_array()) expect(object.pathOf(key), "a list", *list);
    for (std::size_t i = 0; list->is_array() && i < list->size(); ++i) {
      const json &item = (*list)[i];
      std::string path = object.pathOf(key) + "[" + std::to_string(i) + "]";
      if (item.is_object())
        items.push_back({&item, std::move(path)});
      else
        expect(path, "an object", item);
    }
    return items;
  }

  std::vector<SidecarDim> dims(const Object &object) {
    std::vector<SidecarDim> result;
    for (const Object &item : objects(object, "dims")) {
      SidecarDim dim{.minEstimate = integer(item, "min_estimate"),
                     .extentEstimate = integer(item, "extent_estimate")};
      promise(item, "min", dim.min, dim.minSize);
      promise(item, "extent", dim.extent, dim.extentSize);
      promise(item, "stride", dim.stride, dim.strideSize);
      result.push_back(std::move(dim));
    }
    return result;
  }

  SidecarParam param(const Object &item) {
    SidecarParam result;
    result.name = text(item, "name");
    if (result.name.empty()) expect(item.path, "a parameter with a 'name'", *item.value);
    const std::string kind = text(item, "kind");
    if (kind != "buffer" && kind != "scalar")
      expect(item.pathOf("kind"), R"("buffer" or "scalar")", kind);
    result.isBuffer = kind == "buffer";
    const std::string typeWord = text(item, "type");
    if (const auto type = typeFromName(typeWord))
      result.type = *type;
    else
      expect(item.pathOf("type"), R"(a type such as "uint8" or "float32")", typeWord);
    result.dims = dims(item);
    if (const auto alignment = integer(item, "host_alignment"))
      result.hostAlignment = static_cast<int>(*alignment);
    const auto scalar = [&](const char *key) {
      const json *const value = find(item, key);
      return value ? scalarFromJson(*value) : std::string();
    };
    result.estimate = scalar("estimate");
    result.defaultValue = scalar("default");
    result.minValue = scalar("min");
    result.maxValue = scalar("max");
    return result;
  }

private:
  static const json *find(const Object &object, const char *key) {
    const auto at = object.value->find(key);
    return at == object.value->end() || at->is_null() ? nullptr : &*at;
  }
};

void fill(Halide::Parameter &parameter, int i, const SidecarDim &dim) {
  const auto set = [&](auto member, const std::optional<std::int64_t> &value) {
    if (value) (parameter.*member)(i, Halide::Expr(static_cast<int>(*value)));
  };
  set(&Halide::Parameter::set_min_constraint_estimate, dim.minEstimate);
  set(&Halide::Parameter::set_extent_constraint_estimate, dim.extentEstimate);
  set(&Halide::Parameter::set_min_constraint, dim.min);
  set(&Halide::Parameter::set_extent_constraint, dim.extent);
  set(&Halide::Parameter::set_stride_constraint, dim.stride);
}

void fill(Halide::Parameter &parameter, int i, const SidecarDim &dim, const PipelineSizes &sizes) {
  const auto set = [&](auto member, const std::optional<schedule::SizeExpression> &size) {
    if (const auto value = size ? sizes.expr(*size) : Result<Halide::Expr>(Error{}); value)
      (parameter.*member)(i, *value);
  };
  set(&Halide::Parameter::set_min_constraint, dim.minSize);
  set(&Halide::Parameter::set_extent_constraint, dim.extentSize);
  set(&Halide::Parameter::set_stride_constraint, dim.strideSize);
}

SidecarDim promisesOf(const Halide::Parameter &parameter, int i) {
  const Halide::Expr min = parameter.min_constraint(i), extent = parameter.extent_constraint(i),
                     stride = parameter.stride_constraint(i);
  const auto size = [](const Halide::Expr &value) {
    return value.defined() ? sizeExpressionOf(value) : std::nullopt;
  };
  return {.min = constantOf(min),
          .extent = constantOf(extent),
          .stride = constantOf(stride),
          .minSize = size(min),
          .extentSize = size(extent),
          .strideSize = size(stride)};
}

SidecarParam paramOf(const Halide::Parameter &parameter) {
  SidecarParam result;
  result.name = parameter.name();
  result.isBuffer = parameter.is_buffer();
  result.type = parameter.type();
  if (!result.isBuffer) {
    result.estimate = textOfScalar(parameter.estimate());
    result.defaultValue = textOfScalar(parameter.default_value());
    result.minValue = textOfScalar(parameter.min_value());
    result.maxValue = textOfScalar(parameter.max_value());
    return result;
  }
  if (parameter.host_alignment() != parameter.type().bytes())
    result.hostAlignment = parameter.host_alignment();
  for (int i = 0; i < parameter.dimensions(); ++i) {
    result.dims.push_back(promisesOf(parameter, i));
    result.dims.back().minEstimate = constantOf(parameter.min_constraint_estimate(i));
    result.dims.back().extentEstimate = constantOf(parameter.extent_constraint_estimate(i));
  }
  return result;
}

} // namespace

const SidecarParam *Sidecar::find(const std::string &name) const {
  for (const SidecarParam &param : params)
    if (param.name == name) return &param;
  return nullptr;
}

std::string sidecarPath(const std::string &pipelinePath) {
  const std::string suffix = ".hlpipe";
  const bool ends = pipelinePath.ends_with(suffix);
  return pipelinePath.substr(0, pipelinePath.size() - (ends ? suffix.size() : 0)) +
         ".estimates.json";
}

Sidecar sidecarOf(const Halide::Pipeline &pipeline,
                  const std::map<std::string, Halide::Parameter> &params) {
  Sidecar sidecar;
  std::map<std::string, bool> isOutputBuffer;
  for (const Halide::Func &output : pipeline.outputs()) {
    const Halide::Internal::Function function = output.function();
    SidecarOutput entry{output.name(), std::vector<SidecarDim>(function.args().size())};
    for (const Halide::Internal::Bound &bound : function.schedule().estimates())
      for (std::size_t i = 0; i < function.args().size(); ++i)
        if (function.args()[i] == bound.var) {
          if (bound.min.defined()) entry.dims[i].minEstimate = constantOf(bound.min);
          if (bound.extent.defined()) entry.dims[i].extentEstimate = constantOf(bound.extent);
        }
    for (const Halide::Parameter &buffer : function.output_buffers()) {
      isOutputBuffer[buffer.name()] = true;
      const SidecarParam promised = paramOf(buffer);
      for (std::size_t i = 0; i < entry.dims.size() && i < promised.dims.size(); ++i) {
        entry.dims[i].min = promised.dims[i].min;
        entry.dims[i].extent = promised.dims[i].extent;
        entry.dims[i].stride = promised.dims[i].stride;
      }
    }
    sidecar.outputs.push_back(std::move(entry));
  }
  for (const auto &[name, parameter] : params)
    if (parameter.defined() && !isOutputBuffer.count(name))
      sidecar.params.push_back(paramOf(parameter));
  return sidecar;
}

ordered_json toJson(const Sidecar &sidecar) {
  ordered_json document;
  document["params"] = ordered_json::array();
  for (const SidecarParam &param : sidecar.params) {
    ordered_json item{{"name", param.name},
                      {"kind", param.isBuffer ? "buffer" : "scalar"},
                      {"type", typeName(param.type)}};
    if (param.isBuffer) {
      item["dims"] = dimsToJson(param.dims);
      item["host_alignment"] =
          param.hostAlignment ? ordered_json(*param.hostAlignment) : ordered_json(nullptr);
    } else {
      item["estimate"] = scalarToJson(param.estimate);
      item["default"] = scalarToJson(param.defaultValue);
      item["min"] = scalarToJson(param.minValue);
      item["max"] = scalarToJson(param.maxValue);
    }
    document["params"].push_back(std::move(item));
  }
  document["outputs"] = ordered_json::array();
  for (const SidecarOutput &output : sidecar.outputs)
    document["outputs"].push_back({{"name", output.name}, {"dims", dimsToJson(output.dims)}});
  document["pipeline_sha256"] =
      sidecar.pipelineSha256.empty() ? ordered_json(nullptr) : ordered_json(sidecar.pipelineSha256);
  return document;
}

Result<Sidecar> sidecarFromJson(std::string_view text) {
  const auto document = parsedJson(text);
  if (!document) return Error{ErrorCode::InputRefused, document.error().message, kHint};
  Reader reader;
  Sidecar sidecar;
  const Reader::Object whole{&*document, ""};
  if (!document->is_object()) {
    reader.expect("", "an object", *document);
  } else {
    sidecar.pipelineSha256 = reader.text(whole, "pipeline_sha256");
    for (const Reader::Object &item : reader.objects(whole, "params"))
      sidecar.params.push_back(reader.param(item));
    for (const Reader::Object &item : reader.objects(whole, "outputs"))
      sidecar.outputs.push_back({reader.text(item, "name"), reader.dims(item)});
  }
  if (reader.error) return withPlaceIn(text, *reader.error);
  return sidecar;
}

Result<Sidecar> readSidecar(const std::string &path) {
  const auto bytes = readFile(path, kMaxSidecarBytes);
  if (!bytes) return bytes.error();
  auto sidecar = sidecarFromJson({reinterpret_cast<const char *>(bytes->data()), bytes->size()});
  if (sidecar) return sidecar;
  Error error = sidecar.error(); // begins with the line and column
  error.message = path + ":" + error.message;
  return error;
}

std::map<std::string, Halide::Parameter> parametersOf(const Sidecar &sidecar) {
  std::map<std::string, Halide::Parameter> result;
  for (const SidecarParam &param : sidecar.params) {
    if (param.type.is_handle() || param.dims.size() > 64) continue;
    Halide::Parameter parameter(param.type, param.isBuffer, static_cast<int>(param.dims.size()),
                                param.name);
    for (std::size_t i = 0; i < param.dims.size(); ++i)
      fill(parameter, static_cast<int>(i), param.dims[i]);
    if (param.hostAlignment && *param.hostAlignment > 0)
      parameter.set_host_alignment(*param.hostAlignment);
    if (!param.isBuffer) {
      const auto set = [&](auto member, const std::string &text) {
        const Halide::Expr value = scalarFromText(param.type, text);
        if (value.defined()) (parameter.*member)(value);
      };
      set(&Halide::Parameter::set_estimate, param.estimate);
      set(&Halide::Parameter::set_default_value, param.defaultValue);
      set(&Halide::Parameter::set_min_value, param.minValue);
      set(&Halide::Parameter::set_max_value, param.maxValue);
    }
    result.emplace(param.name, std::move(parameter));
  }
  // A parameter is a handle, so that expressions name the ones in the result.
  const PipelineSizes sizes = PipelineSizes::ofInputs(result);
  for (const SidecarParam &param : sidecar.params)
    if (const auto at = result.find(param.name); at != result.end())
      for (std::size_t i = 0; i < param.dims.size(); ++i)
        fill(at->second, static_cast<int>(i), param.dims[i], sizes);
  return result;
}

Halide::Expr scalarFromText(const Halide::Type &type, const std::string &text) {
  if (text.empty()) return {};
  const char *begin = text.c_str();
  char *end = nullptr;
  errno = 0;
  if (type.is_float()) {
    const double value = std::strtod(begin, &end);
    return *end == '\0' && errno == 0 ? Halide::Internal::make_const(type, value) : Halide::Expr();
  }
  if (type.is_bool() && (text == "true" || text == "false"))
    return Halide::Internal::make_const(type, text == "true" ? 1 : 0);
  if (type.is_int()) {
    const long long value = std::strtoll(begin, &end, 10);
    if (*end != '\0' || errno != 0 || !type.can_represent(static_cast<std::int64_t>(value)))
      return {};
    return Halide::Internal::make_const(type, static_cast<std::int64_t>(value));
  }
  if (!type.is_uint() || text.find('-') != std::string::npos) return {};
  const unsigned long long value = std::strtoull(begin, &end, 10);
  if (*end != '\0' || errno != 0 || !type.can_represent(static_cast<std::uint64_t>(value)))
    return {};
  return Halide::Internal::make_const(type, static_cast<std::uint64_t>(value));
}

std::string textOfScalar(const Halide::Expr &value) {
  if (!value.defined()) return {};
  const Halide::Expr constant = Halide::Internal::simplify(value);
  if (const auto number = Halide::Internal::as_const_int(constant)) return std::to_string(*number);
  if (const auto number = Halide::Internal::as_const_uint(constant)) return std::to_string(*number);
  if (const auto number = Halide::Internal::as_const_float(constant))
    return constant.type().bits() <= 32 ? shortest(static_cast<float>(*number)) : shortest(*number);
  return {};
}

} // namespace tessera::halide

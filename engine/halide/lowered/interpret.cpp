// SPDX-License-Identifier: MIT
#include "engine/halide/lowered/interpret.h"

#include "engine/halide/lowered/interpreter.h"

namespace tessera::halide::lowered {

namespace {

using Halide::Buffer;

std::size_t spanOf(const Buffer<> &buffer) {
  std::size_t last = 0;
  for (int d = 0; d < buffer.dimensions(); ++d) {
    if (buffer.dim(d).extent() < 1) return 0;
    last += static_cast<std::size_t>(buffer.dim(d).extent() - 1) *
            static_cast<std::size_t>(buffer.dim(d).stride());
  }
  return (last + 1) * static_cast<std::size_t>(buffer.type().bytes());
}

void addBuffer(State &state, const std::string &name, const Buffer<> &buffer, bool isKnown) {
  auto *data = static_cast<std::uint8_t *>(const_cast<void *>(buffer.data()));
  state.buffers.emplace(name, buffer);
  state.memories.push(name, std::make_shared<Memory>(data, spanOf(buffer), isKnown));
}

// Adds the constant images that the code loads from.
class AddImages : public Halide::Internal::IRVisitor {
public:
  explicit AddImages(State &state) : m_state(state) {}

private:
  using IRVisitor::visit;
  void visit(const Halide::Internal::Load *op) override {
    if (op->image.defined() && !m_state.buffers.contains(op->name))
      addBuffer(m_state, op->name, op->image, true);
    IRVisitor::visit(op);
  }

  State &m_state;
};

std::string textOf(const std::vector<int> &place) {
  std::string text = "(";
  for (const int at : place)
    text += (text.size() > 1 ? ", " : "") + std::to_string(at);
  return text + ")";
}

// Elements of an output that nobody has written, or only with values of such memory.
void checkWritten(State &state, const std::string &name, const Buffer<> &output) {
  const Memory &memory = state.memory(name);
  const auto size = static_cast<std::size_t>(output.type().bytes());
  std::vector<int> place;
  for (int d = 0; d < output.dimensions(); ++d) {
    if (output.dim(d).extent() < 1) return;
    place.push_back(output.dim(d).min());
  }
  for (bool more = true; more;) {
    std::size_t element = 0;
    for (int d = 0; d < output.dimensions(); ++d)
      element +=
          static_cast<std::size_t>(place[static_cast<std::size_t>(d)] - output.dim(d).min()) *
          static_cast<std::size_t>(output.dim(d).stride());
    if (!memory.isKnown(element * size, size))
      state.findings.add(FindingKind::UnknownOutput, "", name,
                         [&] { return "the first is at " + textOf(place); });
    more = false;
    for (int d = 0; d < output.dimensions() && !more; ++d) {
      int &at = place[static_cast<std::size_t>(d)];
      more = ++at <= output.dim(d).max();
      if (!more) at = output.dim(d).min();
    }
  }
}

Run::End endOf(Stopped::Why why) {
  switch (why) {
  case Stopped::Why::CheckFailed:
    return Run::End::CheckFailed;
  case Stopped::Why::TooLong:
    return Run::End::TooLong;
  case Stopped::Why::NotUnderstood:
    return Run::End::NotUnderstood;
  }
  return Run::End::NotUnderstood;
}

} // namespace

Run interpret(const Halide::Internal::Stmt &code, const Arguments &arguments,
              std::uint64_t mostSteps) {
  State state;
  state.mostSteps = mostSteps;
  Run run;
  try {
    for (const auto &[name, buffer] : arguments.inputs)
      addBuffer(state, name, buffer, true);
    for (const auto &[name, buffer] : arguments.outputs)
      addBuffer(state, name, buffer, false);
    AddImages images(state);
    code.accept(&images);
    for (const auto &[name, value] : arguments.scalars)
      state.variables.push(name, Evaluator(state).evaluate(value));
    Interpreter(state).run(code);
    for (const auto &[name, buffer] : arguments.outputs)
      checkWritten(state, name, buffer);
  } catch (const Stopped &stopped) {
    run.end = endOf(stopped.why);
    run.complaint = stopped.text;
  }
  run.findings = state.findings.take();
  run.steps = state.steps;
  return run;
}

} // namespace tessera::halide::lowered

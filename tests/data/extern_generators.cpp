// SPDX-License-Identifier: MIT
// Generators with extern stages. The functions of `doubling` and `scaling` are in another file, the
// latter with a C++ name; that of `tripling` is a generator in this one. Nothing here can run those
// of `on_device` and `pointing`.

#include <Halide.h>

namespace {

using Halide::Func;
using Halide::Int;
using Plane = Halide::Buffer<int, 2>;

class Doubling : public Halide::Generator<Doubling> {
public:
  Input<Plane> input{"input"};
  Output<Plane> output{"output"};

  void generate() {
    Func brighter("brighter"), doubled("doubled");
    brighter(x, y) = input(x, y) + 1;
    doubled.define_extern("tessera_test_double", {brighter}, Int(32), 2);
    output(x, y) = doubled(x, y) + doubled(x + 1, y);
    input.set_estimates({{0, 65}, {0, 48}});
    brighter.set_estimates({{0, 65}, {0, 48}});
    output.set_estimates({{0, 64}, {0, 48}});
  }

private:
  Halide::Var x{"x"}, y{"y"};
};

// Stages whose function has a C++ name, works on a device or gets a pointer.
template <typename Called>
class Calling : public Halide::Generator<Called> {
public:
  typename Halide::Generator<Called>::template Input<Plane> input{"input"};
  typename Halide::Generator<Called>::template Output<Plane> output{"output"};

protected:
  void call(const std::string &function, std::vector<Halide::ExternFuncArgument> more,
            Halide::NameMangling mangling, Halide::DeviceAPI api) {
    Func brighter("brighter"), scaled("scaled");
    Halide::Var x("x"), y("y");
    brighter(x, y) = input(x, y) + 1;
    more.insert(more.begin(), brighter);
    scaled.define_extern(function, more, Int(32), 2, mangling, api);
    output(x, y) = scaled(x, y) + 1;
    input.set_estimates({{0, 64}, {0, 48}});
    brighter.set_estimates({{0, 64}, {0, 48}});
    output.set_estimates({{0, 64}, {0, 48}});
  }
};

class Scaling : public Calling<Scaling> {
public:
  void generate() {
    call("tessera_test::scale", {Halide::Expr(std::int8_t{3})}, Halide::NameMangling::CPlusPlus,
         Halide::DeviceAPI::Host);
  }
};

class OnDevice : public Calling<OnDevice> {
public:
  void generate() {
    call("tessera_test_double", {}, Halide::NameMangling::C, Halide::DeviceAPI::OpenCL);
  }
};

class Pointing : public Calling<Pointing> {
public:
  Input<const int *> factor{"factor", nullptr};

  void generate() {
    call("tessera_test::scale_by", {Halide::Expr(factor)}, Halide::NameMangling::CPlusPlus,
         Halide::DeviceAPI::Host);
  }
};

class Tripling : public Halide::Generator<Tripling> {
public:
  Input<Plane> input{"input"};
  Output<Plane> output{"output"};

  void generate() {
    Func darker("darker"), by3("by3");
    darker(x, y) = input(x, y) - 1;
    by3.define_extern("tripled", {darker}, Int(32), 2);
    output(x, y) = by3(x, y) + 1;
    input.set_estimates({{0, 64}, {0, 48}});
    darker.set_estimates({{0, 64}, {0, 48}});
    output.set_estimates({{0, 64}, {0, 48}});
  }

private:
  Halide::Var x{"x"}, y{"y"};
};

class Tripled : public Halide::Generator<Tripled> {
public:
  Input<Plane> input{"input"};
  Output<Plane> output{"output"};

  void generate() {
    Halide::Var x, y;
    output(x, y) = input(x, y) * 3;
    output.set_estimates({{0, 64}, {0, 48}});
  }
};

} // namespace

HALIDE_REGISTER_GENERATOR(Doubling, doubling)
HALIDE_REGISTER_GENERATOR(Scaling, scaling)
HALIDE_REGISTER_GENERATOR(OnDevice, on_device)
HALIDE_REGISTER_GENERATOR(Pointing, pointing)
HALIDE_REGISTER_GENERATOR(Tripling, tripling)
HALIDE_REGISTER_GENERATOR(Tripled, tripled)

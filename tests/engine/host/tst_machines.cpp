// SPDX-License-Identifier: MIT
#include "engine/host/machines.h"

#include "tests/engine/host/scratch_test.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace tessera::host {
namespace {

namespace fs = std::filesystem;

class MachinesTest : public host::test::ScratchTest {
protected:
  void SetUp() override { fs::create_directories(own("")); }
  std::string own(const std::string &name) const { return tools.configDir + "/machines/" + name; }

  const ToolPaths tools = builtTools();
};

TEST_F(MachinesTest, ShipsSixteenThatAllAreFound) {
  const Machines machines = findMachines(tools);
  EXPECT_EQ(machines.files.size(), 16U);
  EXPECT_TRUE(machines.problems.empty());
  for (const MachineFile &file : machines.files)
    EXPECT_EQ(file.machine.name, fs::path(file.path).stem());
  const auto machine = machineFor(kDefaultMachine, tools);
  ASSERT_TRUE(machine);
  EXPECT_EQ(machine->title, "NVIDIA H200 SXM");
}

TEST_F(MachinesTest, TakesTheUsersOwnFirst) {
  fs::copy_file(tools.machines + "/a100.json", own("h200.json"));
  // The user's h200.json, a second a100, hides the shipped file of that name.
  EXPECT_EQ(findMachines(tools).files.size(), 16U);
  const auto read = machineFor(own("h200.json"), tools);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->name, "a100");
  EXPECT_EQ(findMachines(tools).files.front().path, own("h200.json"));
}

TEST_F(MachinesTest, NamesThoseThatThereAre) {
  std::ofstream(own("broken.json")) << "{";
  const Machines machines = findMachines(tools);
  ASSERT_EQ(machines.problems.size(), 1U);
  EXPECT_NE(machines.problems[0].find("broken.json:1:2: it is not JSON: "), std::string::npos);
  const auto unknown = machineFor("gtx", tools);
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().message, "no machine is called 'gtx'");
  EXPECT_NE(unknown.error().hint.find("a100, autogpu-cc61, b200, gtx-1080-ti, gtx-titan, h100"),
            std::string::npos);
}

TEST_F(MachinesTest, KeepsTheUsersOwn) {
  machine::Machine mine = *machineFor(kDefaultMachine, tools);
  mine.name = "h200-what-if";
  mine.memory.dramBytesPerSecond = 8e12;
  ASSERT_TRUE(saveMachine(mine, tools));
  EXPECT_EQ(*machineFor("h200-what-if", tools), mine);
  mine.memory.dramBytesPerSecond = 9e12;
  ASSERT_TRUE(saveMachine(mine, tools)); // replaces the saved machine
  EXPECT_EQ(machineFor("h200-what-if", tools)->memory.dramBytesPerSecond, 9e12);
  ASSERT_TRUE(removeMachine("h200-what-if", tools));
  EXPECT_FALSE(machineFor("h200-what-if", tools));
  EXPECT_TRUE(removeMachine("h200-what-if", tools)) << "it is gone, as was asked for";
  for (const char *name : {"", "..", "a/b", "../h200", "a b"}) {
    mine.name = name;
    EXPECT_FALSE(saveMachine(mine, tools)) << name;
    EXPECT_FALSE(removeMachine(name, tools)) << name;
  }
}

TEST_F(MachinesTest, AMachineIsKnownByItsNameAndNotByItsFile) {
  machine::Machine mine = *machineFor(kDefaultMachine, tools);
  mine.memory.dramBytesPerSecond = 8e12;
  ASSERT_TRUE(saveMachine(mine, tools));
  fs::rename(own("h200.json"), own("mine.json"));
  EXPECT_EQ(*machineFor(kDefaultMachine, tools), mine) << "the user's hides ours";
  EXPECT_FALSE(machineFor("mine", tools));
}

} // namespace
} // namespace tessera::host

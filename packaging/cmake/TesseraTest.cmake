# SPDX-License-Identifier: MIT
# One way to write a test executable; every test gets a label, a time-out and our warnings.
#
# tessera_test(<name> SOURCES … [DEPENDS room…] [LINK target…] [LABEL label] [TIMEOUT seconds]
#              [ENVIRONMENT NAME=value…] [HEADERS_OF target] [APART source…])
#   GoogleTest (with gmock; rapidcheck by LINK tessera_rapidcheck). Each TEST() is one ctest entry,
#   found when ctest starts. The label is the folder below tests/ unless given. HEADERS_OF:
#   whose precompiled headers the sources need; those of GoogleTest unless given. APART: which of the
#   sources are compiled by themselves, as they name their examples as others do.
#
# tessera_gui_test(<name> SOURCES … [DEPENDS …] [LINK …] [LABEL …] [TIMEOUT …] [XVFB])
#   QTest with its own main (QTEST_MAIN), on Qt's offscreen platform; with XVFB on a virtual X
#   server of its own, for what offscreen cannot show (focus, drag and drop, window manager hints).
#
# tessera_benchmark(<name> SOURCES … [DEPENDS …] [LINK …])
#   Google Benchmark with main. Built with the tests, run by hand; ctest runs each for one short
#   repetition under the label `benchmarks`, so that none rots.
#
# No definition of a test holds a folder of this clone, or the compiler cache could not serve it in
# another: tests/support/build_paths.h says where things lie.
#
# tessera_portable_path(<variable> path)
#   For such a definition: a path inside the source folder, as that of .venv, becomes relative to it,
#   and test::sourcePath() makes it whole again. Other paths stay as they are.
include_guard(GLOBAL)
include(GoogleTest)

find_package(GTest REQUIRED)
find_package(benchmark REQUIRED)

add_library(tessera_rapidcheck INTERFACE)
find_path(RAPIDCHECK_INCLUDE_DIR rapidcheck.h REQUIRED)
find_library(RAPIDCHECK_LIBRARY rapidcheck REQUIRED)
target_include_directories(tessera_rapidcheck SYSTEM INTERFACE "${RAPIDCHECK_INCLUDE_DIR}")
target_link_libraries(tessera_rapidcheck INTERFACE "${RAPIDCHECK_LIBRARY}")

# What nearly every test includes is compiled once. Tests take the flags of an executable, and so do
# these headers. Without optimisation a test takes half the time to compile, and no test measures
# times.
function(tessera_test_headers name)
  cmake_parse_arguments(arg "" "" "HEADERS;LINK" ${ARGN})
  file(GENERATE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp" CONTENT "// Holds the precompiled headers of the tests.\n")
  add_library(${name} OBJECT "${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp")
  target_compile_options(${name} PRIVATE -fPIE)
  target_link_libraries(${name} PRIVATE tessera_warnings tessera_test_options ${arg_LINK})
  target_precompile_headers(${name} PRIVATE ${arg_HEADERS})
endfunction()

add_library(tessera_test_options INTERFACE)
target_compile_options(tessera_test_options INTERFACE $<$<CONFIG:Release>:-O0>)
tessera_test_headers(tessera_gtest_headers
  HEADERS <gmock/gmock.h> <gtest/gtest.h> <nlohmann/json.hpp> <algorithm> <filesystem> <set>
  LINK GTest::gmock GTest::gtest)

function(tessera_portable_path variable path)
  cmake_path(IS_PREFIX PROJECT_SOURCE_DIR "${path}" NORMALIZE inside)
  if(inside)
    cmake_path(RELATIVE_PATH path BASE_DIRECTORY "${PROJECT_SOURCE_DIR}")
  endif()
  set(${variable} "${path}" PARENT_SCOPE)
endfunction()
tessera_portable_path(TESSERA_TEST_HALIDE_ROOT "${TESSERA_HALIDE_ROOT}")

# Seconds; a test that hangs must fail, not hold up the rest. Instrumented code is slower.
set(TESSERA_TEST_TIMEOUT 120)
if(TESSERA_SANITIZE)
  set(TESSERA_TEST_TIMEOUT 600)
endif()

macro(_tessera_test_arguments options)
  cmake_parse_arguments(arg "${options}" "LABEL;TIMEOUT;HEADERS_OF" "SOURCES;DEPENDS;LINK;ENVIRONMENT;APART" ${ARGN})
  if(NOT arg_LABEL)
    cmake_path(RELATIVE_PATH CMAKE_CURRENT_SOURCE_DIR BASE_DIRECTORY "${PROJECT_SOURCE_DIR}/tests"
               OUTPUT_VARIABLE arg_LABEL)
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT ${TESSERA_TEST_TIMEOUT})
  elseif(TESSERA_SANITIZE)
    math(EXPR arg_TIMEOUT "${arg_TIMEOUT} * 5")
  endif()
  list(TRANSFORM arg_DEPENDS PREPEND "tessera::")
  add_executable(${name} ${arg_SOURCES})
  set_source_files_properties(${arg_APART} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}")
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  target_link_libraries(${name}
    PRIVATE tessera_warnings ${arg_DEPENDS} ${arg_LINK} tessera_build_paths)
  # packaging/test --room builds the tests of a label alone.
  string(REPLACE "/" "-" room "tests-of-${arg_LABEL}")
  if(NOT TARGET ${room})
    add_custom_target(${room})
  endif()
  add_dependencies(${room} ${name})
endmacro()

function(tessera_test name)
  _tessera_test_arguments("" ${ARGN})
  target_link_libraries(${name} PRIVATE GTest::gmock GTest::gtest_main)
  if(arg_HEADERS_OF)
    target_compile_options(${name} PRIVATE -fPIC) # as the headers of a library are
    target_precompile_headers(${name} REUSE_FROM ${arg_HEADERS_OF})
  else()
    target_link_libraries(${name} PRIVATE tessera_test_options)
    target_precompile_headers(${name} REUSE_FROM tessera_gtest_headers)
  endif()
  gtest_discover_tests(${name}
    DISCOVERY_MODE PRE_TEST
    DISCOVERY_TIMEOUT 60
    # Printed values of parameters can hold addresses, which differ from run to run.
    NO_PRETTY_VALUES
    WORKING_DIRECTORY "${PROJECT_BINARY_DIR}/tests"
    PROPERTIES LABELS "${arg_LABEL}" TIMEOUT ${arg_TIMEOUT} ENVIRONMENT "${arg_ENVIRONMENT}")
endfunction()

function(tessera_gui_test name)
  _tessera_test_arguments("XVFB" ${ARGN})
  if(NOT TARGET tessera_qtest_headers)
    find_package(Qt6 6.4 REQUIRED COMPONENTS Test Widgets)
    # Qt gives each test the folders in which QFINDTESTDATA() looks, which nobody here uses.
    get_target_property(definitions Qt6::Test INTERFACE_COMPILE_DEFINITIONS)
    list(FILTER definitions EXCLUDE REGEX "^QT_TESTCASE_(BUILD|SOURCE)DIR=")
    set_target_properties(Qt6::Test PROPERTIES INTERFACE_COMPILE_DEFINITIONS "${definitions}")
    tessera_test_headers(tessera_qtest_headers
      HEADERS <QtWidgets/QtWidgets> <QtTest/QtTest> <nlohmann/json.hpp>
      LINK Qt6::Test Qt6::Widgets)
  endif()
  set_target_properties(${name} PROPERTIES AUTOMOC ON)
  target_compile_options(${name} PRIVATE -fPIE) # Qt asks for -fPIC
  target_link_libraries(${name} PRIVATE tessera_test_options Qt6::Test Qt6::Widgets)
  target_precompile_headers(${name} REUSE_FROM tessera_qtest_headers)
  # Most tests have no header with a class for moc: what is left would load the headers for nothing.
  set_source_files_properties(
    "${CMAKE_CURRENT_BINARY_DIR}/${name}_autogen/mocs_compilation.cpp"
    PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
  if(arg_XVFB)
    find_program(XVFB_RUN xvfb-run REQUIRED)
    add_test(NAME ${name}
      COMMAND "${XVFB_RUN}" --auto-servernum "--server-args=-screen 0 1600x1000x24 -nolisten tcp"
              $<TARGET_FILE:${name}>)
    list(APPEND arg_ENVIRONMENT QT_QPA_PLATFORM=xcb)
  else()
    add_test(NAME ${name} COMMAND ${name})
    list(APPEND arg_ENVIRONMENT QT_QPA_PLATFORM=offscreen)
  endif()
  set_tests_properties(${name} PROPERTIES
    LABELS "${arg_LABEL}" TIMEOUT ${arg_TIMEOUT} ENVIRONMENT "${arg_ENVIRONMENT}")
endfunction()

function(tessera_benchmark name)
  _tessera_test_arguments("" ${ARGN})
  target_link_libraries(${name} PRIVATE benchmark::benchmark_main)
  add_test(NAME ${name} COMMAND ${name} --benchmark_min_time=0.001)
  set_tests_properties(${name} PROPERTIES LABELS benchmarks TIMEOUT ${arg_TIMEOUT})
endfunction()

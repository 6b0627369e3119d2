/* Every group of benchmarks: tests/bench/bench_<name>.c defines void bench_<name>(void). */
BENCH(core)
BENCH(human)
BENCH(slide)
BENCH(field)
BENCH(cone)
BENCH(tangent)
BENCH(solve)
BENCH(lua)

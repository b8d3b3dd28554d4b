import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"

export default defineConfig({
  // Tests read the packages' sources: an edit is tested without a build.
  resolve: { conditions: ["@livery/source"] },
  ssr: { resolve: { conditions: ["@livery/source"] } },
  test: {
    include: ["packages/*/test/**/*.test.ts", "test/**/*.test.ts"],
    globalSetup: ["./test/support/globalSetup.ts"],
    setupFiles: ["./test/support/checkedRows.ts"],
    pool: "threads",
    isolate: false,
    // Many tests wait for a process or a time: on two processors, a third worker has work meanwhile.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    testTimeout: 120_000,
    hookTimeout: 120_000
  }
})

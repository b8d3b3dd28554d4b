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
    // Vitest's own default would leave one of two processors idle.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 120_000,
    hookTimeout: 120_000
  }
})

import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"

/** Short files whose tests take 15 s or more. Without earlier results, Vitest begins with the largest files. */
const longForTheirSize =
  /(?:fares\/OnePrice|http-adapter\/test\/(?:upgrade|plans)|persistence\/test\/Contracts|model\/By\w+|rolling-restart|uploads|killed-api)\.test\.ts$/u

/** Begins with what takes longest, so that no worker ends long after the others. */
class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const rankOf = ({ moduleId }: TestSpecification) => (longForTheirSize.test(moduleId) ? 0 : 1)
    return (await super.sort(files)).toSorted((one, other) => rankOf(one) - rankOf(other))
  }
}

export default defineConfig({
  // Tests read the packages' sources: an edit is tested without a build.
  resolve: { conditions: ["@livery/source"] },
  ssr: { resolve: { conditions: ["@livery/source"] } },
  test: {
    include: ["packages/*/test/**/*.test.ts", "test/**/*.test.ts"],
    globalSetup: ["./test/support/unpackedBrowser.ts", "./test/support/globalSetup.ts"],
    setupFiles: ["./test/support/checkedRows.ts"],
    pool: "threads",
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // Many tests wait for a process or a time: on two processors, a third worker has work meanwhile.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    testTimeout: 120_000,
    hookTimeout: 120_000
  }
})

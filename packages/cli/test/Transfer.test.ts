import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { halfWrites } from "../../../test/support/HalfWrites.ts"
import { scratchPrefix } from "../../../test/support/ScratchDirectory.ts"
import { openExportFile } from "../src/commands/data/Transfer.ts"

describe("an exported file", () => {
  it.live("has each line in full although the system writes only half of the bytes at a time", () =>
    Effect.gen(function* () {
      const directory = yield* Effect.acquireRelease(
        Effect.sync(() => mkdtempSync(scratchPrefix)),
        (made) => Effect.sync(() => rmSync(made, { recursive: true }))
      )
      yield* halfWrites(import.meta.filename)
      const file = join(directory, "export.jsonl")
      const { complete, write } = yield* openExportFile(file)
      yield* write("the first line\n")
      yield* write("another line, ü\n")
      yield* complete
      assert.strictEqual(readFileSync(file, "utf8"), "the first line\nanother line, ü\n")
    })
  )
})

import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { halfWrites } from "../../../../test/support/HalfWrites.ts"
import { copyFiles, directoriesIn, filesAt, filesIn } from "../../src/embedded/CopiedFiles.ts"
import { changingDirectories, testDirectory } from "./TestDirectory.ts"

const withFiles = Effect.map(testDirectory, (directory) => {
  mkdirSync(join(directory, "base", "stable"), { recursive: true })
  writeFileSync(join(directory, "base", "stable", "file"), "content")
  return directory
})

describe("the files of a directory", () => {
  it.live("are all found while directories beside them appear and vanish", () =>
    Effect.gen(function* () {
      const directory = yield* withFiles
      yield* changingDirectories(join(directory, "base"))
      for (let round = 0; round < 300; round++) {
        assert.deepStrictEqual(yield* Effect.promise(() => filesIn(directory)), [
          { path: "base/stable/file", size: 7 }
        ])
        const directories = yield* Effect.promise(() => directoriesIn(directory))
        assert.includeMembers([...directories], ["base", "base/stable"])
      }
    })
  )

  it.live("are an error if the directory itself does not exist", () =>
    Effect.gen(function* () {
      const absent = join(yield* testDirectory, "absent")
      for (const list of [filesIn, directoriesIn]) {
        const failure = yield* Effect.flip(Effect.tryPromise(async () => void (await list(absent))))
        assert.propertyVal(failure.cause, "code", "ENOENT")
      }
    })
  )

  it.live("are those at a path: the file, those below the directory, or none if nothing is there", () =>
    Effect.gen(function* () {
      const directory = yield* withFiles
      const file = { path: "base/stable/file", size: 7 }
      const at = (path: string) => Effect.promise(() => filesAt(directory, path))
      assert.deepStrictEqual(yield* at("base/stable/file"), [file])
      assert.deepStrictEqual(yield* at("base"), [file])
      assert.deepStrictEqual(yield* at("absent"), [])
    })
  )
})

describe("a copied file", () => {
  it.live("is complete although the system writes only half of the bytes at a time", () =>
    Effect.gen(function* () {
      const directory = yield* withFiles
      const from = join(directory, "base", "stable")
      yield* halfWrites(join(from, "file"))
      const to = join(directory, "copy")
      yield* Effect.promise(() =>
        copyFiles(from, (path) => join(to, path), [{ path: "file", size: 7 }], {
          mayVanish: false,
          onProgress: () => {}
        })
      )
      assert.strictEqual(readFileSync(join(to, "file"), "utf8"), "content")
    })
  )

  it.live("has the checksum of its own content, also after a longer file", () =>
    Effect.gen(function* () {
      const from = yield* withFiles
      const contents = { long: "a long content", short: "short" }
      for (const [path, content] of Object.entries(contents)) writeFileSync(join(from, path), content)
      const files = Object.entries(contents).map(([path, { length }]) => ({ path, size: length }))
      const copied = yield* Effect.promise(() =>
        copyFiles(from, (path) => join(from, "copy", path), files, { mayVanish: false, onProgress: () => {} })
      )
      assert.deepStrictEqual(
        copied,
        Object.entries(contents).map(([path, content]) => ({
          path,
          size: content.length,
          sha256: createHash("sha256").update(content).digest("hex")
        }))
      )
      assert.strictEqual(readFileSync(join(from, "copy", "short"), "utf8"), "short")
    })
  )
})

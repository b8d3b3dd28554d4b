import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, mkdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { linkLibraries, locateBinaries } from "../../src/embedded/Binaries.ts"
import { testDirectory } from "./TestDirectory.ts"

describe("the programs of PostgreSQL", () => {
  it.live("are found for this machine", () =>
    Effect.gen(function* () {
      const { postgres, initdb, pgCtl } = yield* locateBinaries()
      assert.isTrue([postgres, initdb, pgCtl].every((path) => existsSync(path)))
    })
  )

  it.live("are missed by name where npm has none", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(locateBinaries("plan9", "mips"))
      assert.include(error.message, "plan9-mips")
      assert.include(error.message, "DATABASE_URL")
    })
  )

  it.live("get the links between their libraries when the install script did not run", () =>
    Effect.gen(function* () {
      const base = yield* testDirectory
      const root = join(base, "native")
      mkdirSync(join(root, "lib"), { recursive: true })
      writeFileSync(join(root, "lib", "libpq.so.5.18"), "library")
      writeFileSync(
        join(root, "pg-symlinks.json"),
        JSON.stringify([{ source: "native/lib/libpq.so.5.18", target: "native/lib/libpq.so.5" }])
      )
      yield* Effect.promise(() => linkLibraries(root))
      yield* Effect.promise(() => linkLibraries(root))
      assert.strictEqual(readlinkSync(join(root, "lib", "libpq.so.5")), "libpq.so.5.18")
      assert.strictEqual(readFileSync(join(root, "lib", "libpq.so.5"), "utf8"), "library")
    })
  )
})

import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Backups from "../../src/embedded/Backups.ts"
import { changingDirectories, openFast, query, testDirectory } from "./TestDirectory.ts"

const backupOf = (directory: string, target: string) =>
  Backups.backup({ directory, target, madeAt: "2026-11-20T09:30:00Z", onProgress: () => {} })

/** The paths in a backup's list, without the log, of which each backup has another part. */
const pathsOf = (backup: string) => {
  const { files } = JSON.parse(readFileSync(join(backup, "backup.json"), "utf8")) as {
    readonly files: ReadonlyArray<{ readonly path: string }>
  }
  return files.map(({ path }) => path).filter((path) => !path.startsWith("postgres/pg_wal/"))
}

const installed = Effect.map(testDirectory, (directory) => {
  mkdirSync(join(directory, "uploads", "ab"), { recursive: true })
  writeFileSync(join(directory, "secret"), "a secret")
  writeFileSync(join(directory, "uploads", "ab", "abcd"), "an upload")
  return directory
})

/** A temporary directory on another file system than {@link testDirectory}'s, if the system has one. */
const elsewhere = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "livery-elsewhere-"))),
  (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true }))
)

describe("a backup", { timeout: 180_000 }, () => {
  it.live("has every file while directories of the database and the uploads appear and vanish", () =>
    Effect.gen(function* () {
      const directory = yield* installed
      yield* openFast({ directory })
      yield* backupOf(directory, join(directory, "..", "quiet"))
      const expected = pathsOf(join(directory, "..", "quiet"))
      assert.includeMembers(expected, ["postgres/global/pg_control", "secret", "uploads/ab/abcd"])
      mkdirSync(join(directory, "postgres", "base", "pgsql_tmp"), { recursive: true, mode: 0o700 })
      yield* changingDirectories(join(directory, "postgres", "base", "pgsql_tmp"))
      yield* changingDirectories(join(directory, "uploads"))
      for (let round = 0; round < 2; round++) {
        const target = join(directory, "..", `busy${round}`)
        yield* backupOf(directory, target)
        assert.sameMembers(pathsOf(target), expected)
        rmSync(target, { recursive: true })
      }
    })
  )

  it.live("of a sandbox is restored as one, because its payments are not real", () =>
    Effect.gen(function* () {
      const directory = yield* installed
      writeFileSync(join(directory, "sandbox"), "Payments in this directory are not real\n")
      const [backup, restored] = [join(directory, "..", "backup"), join(directory, "..", "restored")]
      yield* Effect.scoped(Effect.andThen(openFast({ directory }), backupOf(directory, backup)))
      yield* Backups.restore({
        source: backup,
        directory: restored,
        onProgress: () => {},
        verify: Effect.void
      })
      assert.isTrue(existsSync(join(restored, "sandbox")))
    })
  )

  it.live("is restored to a cluster on another file system than its directory", () =>
    Effect.gen(function* () {
      const directory = yield* installed
      const backup = join(directory, "..", "backup")
      yield* Effect.scoped(
        Effect.gen(function* () {
          const { url } = yield* openFast({ directory })
          yield* query(url, "create table trips as select 7 as id")
          yield* backupOf(directory, backup)
        })
      )
      const restored = join(directory, "..", "restored")
      const other = yield* elsewhere
      mkdirSync(restored)
      if (statSync(restored).dev === statSync(other).dev) return
      const data = join(other, "postgres")
      symlinkSync(data, join(restored, "postgres"))
      yield* Backups.restore({
        source: backup,
        directory: restored,
        onProgress: () => {},
        verify: Effect.void
      })
      assert.isTrue(existsSync(join(data, "PG_VERSION")))
      assert.isFalse(existsSync(`${data}.restoring`))
      assert.strictEqual(readFileSync(join(restored, "secret"), "utf8"), "a secret")
      const { url } = yield* openFast({ directory: restored })
      assert.deepStrictEqual(yield* query(url, "select id from trips"), [{ id: 7 }])
    })
  )

  it.live("is not made in a directory that it copies, where the next backup would copy it too", () =>
    Effect.gen(function* () {
      const directory = yield* installed
      yield* openFast({ directory })
      symlinkSync(join(directory, "uploads"), join(directory, "..", "link"))
      for (const path of ["postgres/backup", "uploads/ab/backup", "uploads/new/backup", "../link/backup"]) {
        const target = join(directory, path)
        const { reason } = yield* Effect.flip(backupOf(directory, target))
        assert.match(reason, /which the backup copies: choose a path outside of it$/u)
        assert.isFalse(existsSync(target))
      }
      yield* backupOf(directory, join(directory, "uploads of today"))
    })
  )
})

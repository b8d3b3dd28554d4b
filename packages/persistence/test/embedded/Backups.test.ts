import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, type Redacted } from "effect"
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

const restore = (source: string, directory: string) =>
  Backups.restore({ source, directory, onProgress: () => {}, verify: Effect.succeed })

/** The paths in a backup's list, without the log, of which each backup has another part. */
const pathsOf = (backup: string) => {
  const { files } = JSON.parse(readFileSync(join(backup, "backup.json"), "utf8")) as {
    readonly files: ReadonlyArray<{ readonly path: string }>
  }
  return files.map(({ path }) => path).filter((path) => !path.startsWith("postgres/pg_wal/"))
}

/** An installation whose server runs, for all tests of the file. */
class Installed extends Context.Service<
  Installed,
  { readonly directory: string; readonly url: Redacted.Redacted }
>()("test/Installed") {
  static readonly layer = Layer.effect(
    Installed,
    Effect.gen(function* () {
      const directory = yield* testDirectory
      mkdirSync(join(directory, "uploads", "ab"), { recursive: true })
      writeFileSync(join(directory, "secret"), "a secret")
      writeFileSync(join(directory, "uploads", "ab", "abcd"), "an upload")
      const { url } = yield* openFast({ directory })
      return { directory, url }
    })
  )
}

/** A temporary directory on another file system than {@link testDirectory}'s, if the system has one. */
const elsewhere = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "livery-elsewhere-"))),
  (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true }))
)

layer(Installed.layer, { excludeTestServices: true, timeout: 180_000 })("a backup", (it) => {
  it.effect("has every file while directories of the database and the uploads appear and vanish", () =>
    Effect.gen(function* () {
      const { directory } = yield* Installed
      yield* backupOf(directory, join(directory, "..", "quiet"))
      const expected = pathsOf(join(directory, "..", "quiet"))
      assert.includeMembers(expected, ["postgres/global/pg_control", "secret", "uploads/ab/abcd"])
      mkdirSync(join(directory, "postgres", "base", "pgsql_tmp"), { recursive: true, mode: 0o700 })
      yield* changingDirectories(join(directory, "postgres", "base", "pgsql_tmp"))
      yield* changingDirectories(join(directory, "uploads"))
      const target = join(directory, "..", "busy")
      yield* backupOf(directory, target)
      assert.sameMembers(pathsOf(target), expected)
    })
  )

  it.effect("of a sandbox is restored as one, because its payments are not real", () =>
    Effect.gen(function* () {
      const { directory } = yield* Installed
      const [sandbox, backup] = [join(directory, "sandbox"), join(directory, "..", "of a sandbox")]
      writeFileSync(sandbox, "Payments in this directory are not real\n")
      yield* backupOf(directory, backup)
      rmSync(sandbox)
      const restored = join(directory, "..", "a sandbox")
      yield* restore(backup, restored)
      assert.isTrue(existsSync(join(restored, "sandbox")))
    })
  )

  it.effect("is told from a copy in another place when it is restored to its own directory", () =>
    Effect.gen(function* () {
      const { directory } = yield* Installed
      const [first, second] = [join(directory, "..", "first"), join(directory, "..", "second")]
      const restored = join(directory, "..", "another place")
      yield* backupOf(directory, first)
      assert.isFalse((yield* restore(first, restored)).verified)
      yield* backupOf(restored, second)
      rmSync(restored, { recursive: true })
      assert.isTrue((yield* restore(second, restored)).verified)
    })
  )

  it.effect("is restored to a cluster on another file system than its directory", () =>
    Effect.gen(function* () {
      const { directory, url } = yield* Installed
      const backup = join(directory, "..", "of another file system")
      yield* query(url, "create table trips as select 7 as id")
      yield* backupOf(directory, backup)
      const restored = join(directory, "..", "on another file system")
      const other = yield* elsewhere
      mkdirSync(restored)
      if (statSync(restored).dev === statSync(other).dev) return
      const data = join(other, "postgres")
      symlinkSync(data, join(restored, "postgres"))
      yield* restore(backup, restored)
      assert.isTrue(existsSync(join(data, "PG_VERSION")))
      assert.isFalse(existsSync(`${data}.restoring`))
      assert.strictEqual(readFileSync(join(restored, "secret"), "utf8"), "a secret")
      const opened = yield* openFast({ directory: restored })
      assert.deepStrictEqual(yield* query(opened.url, "select id from trips"), [{ id: 7 }])
    })
  )

  it.effect("is not made in a directory that it copies, where the next backup would copy it too", () =>
    Effect.gen(function* () {
      const { directory } = yield* Installed
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

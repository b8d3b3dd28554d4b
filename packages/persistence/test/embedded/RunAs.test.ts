import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  writeFileSync
} from "node:fs"
import { dirname, join } from "node:path"
import { binariesIn } from "../../src/embedded/Binaries.ts"
import { runningPostmaster } from "../../src/embedded/Postmaster.ts"
import { dataOf, reachableBinaries } from "../../src/embedded/DataDirectory.ts"
import { mayReach } from "../../src/embedded/RunAs.ts"
import { openFast, query, testDirectory } from "./TestDirectory.ts"

const isRoot = process.getuid?.() === 0 && process.platform === "linux"

const uidOf = (directory: string) => {
  const pid = runningPostmaster(dataOf(directory))?.pid
  return pid === undefined ? undefined : statSync(`/proc/${pid}`).uid
}

describe.skipIf(!isRoot)("PostgreSQL of a Livery that runs as root", () => {
  it.live("runs in a namespace, and every file belongs to root", () =>
    Effect.gen(function* () {
      const directory = yield* testDirectory
      const { url } = yield* openFast({ directory, runAs: "namespace" })
      assert.deepStrictEqual(yield* query(url, "select 1 as one"), [{ one: 1 }])
      assert.strictEqual(uidOf(directory), 0)
      const data = join(directory, "postgres")
      assert.isTrue(readdirSync(data).every((name) => statSync(join(data, name)).uid === 0))
    })
  )

  it.live("runs as an unprivileged user, who may only enter the directory", () =>
    Effect.gen(function* () {
      const directory = yield* testDirectory
      const reachable = join(dirname(directory), "reachable")
      chmodSync(dirname(directory), 0o755)
      mkdirSync(reachable)
      yield* Effect.scoped(
        Effect.gen(function* () {
          const { url } = yield* openFast({ directory, runAs: "user", reachable })
          assert.deepStrictEqual(yield* query(url, "select 1 as one"), [{ one: 1 }])
          const uid = uidOf(directory)
          assert.notStrictEqual(uid, 0)
          assert.strictEqual(statSync(join(directory, "postgres")).uid, uid)
          const { mode, uid: owner } = statSync(directory)
          assert.deepStrictEqual([owner, mode & 0o777], [0, 0o710])
          assert.isFalse(lstatSync(join(directory, "postgres")).isSymbolicLink())
        })
      )
      assert.strictEqual(uidOf(directory), undefined)
    })
  )

  it.live("runs as the owner of the data, and changes the owner if another user is configured", () =>
    Effect.gen(function* () {
      const directory = yield* testDirectory
      const reachable = dirname(directory)
      chmodSync(reachable, 0o755)
      const uidWith = (runAs?: "namespace" | "user") =>
        Effect.scoped(
          Effect.map(openFast({ directory, reachable, ...(runAs === undefined ? {} : { runAs }) }), () =>
            uidOf(directory)
          )
        )
      const user = yield* uidWith("user")
      assert.notStrictEqual(user, 0)
      assert.strictEqual(yield* uidWith(), user)
      assert.strictEqual(yield* uidWith("namespace"), 0)
      assert.strictEqual(yield* uidWith(), 0)
      assert.strictEqual(yield* uidWith("user"), user)
    })
  )

  it.live("finds a reachable place for the data of a closed home, and finds it again", () =>
    Effect.gen(function* () {
      const home = yield* testDirectory
      const reachable = join(dirname(home), "reachable")
      chmodSync(dirname(home), 0o755)
      mkdirSync(home, { mode: 0o700 })
      mkdirSync(reachable)
      const directory = join(home, ".livery")
      const open = openFast({ directory, runAs: "user", reachable })
      yield* Effect.scoped(
        Effect.flatMap(open, ({ url }) => query(url, "create table cars as select 3 as id"))
      )
      assert.strictEqual(dirname(dirname(dataOf(directory))), reachable)
      assert.isFalse(existsSync(join(directory, "postgres", "postmaster.pid")))
      yield* Effect.scoped(
        Effect.gen(function* () {
          const { started, url } = yield* open
          assert.strictEqual(started, "existing")
          assert.deepStrictEqual(yield* query(url, "select id from cars"), [{ id: 3 }])
        })
      )
    })
  )

  it.live("copies the programs of a closed home to where the user can run them, once", () =>
    Effect.gen(function* () {
      const home = yield* testDirectory
      const reachable = join(dirname(home), "reachable")
      chmodSync(dirname(home), 0o755)
      mkdirSync(home, { mode: 0o700 })
      mkdirSync(reachable)
      const given = binariesIn(join(home, "native"))
      mkdirSync(dirname(given.postgres), { recursive: true })
      writeFileSync(given.postgres, "program", { mode: 0o755 })
      const user = { kind: "user", uid: 12_345, gid: 12_345 } as const
      const copy = yield* Effect.promise(() => reachableBinaries(given, user, reachable))
      assert.isFalse(mayReach(dirname(given.postgres), user))
      assert.isTrue(mayReach(dirname(copy.postgres), user))
      assert.strictEqual(readFileSync(copy.postgres, "utf8"), "program")
      assert.deepStrictEqual(yield* Effect.promise(() => reachableBinaries(given, user, reachable)), copy)
      assert.strictEqual(readdirSync(reachable).length, 1)
    })
  )
})

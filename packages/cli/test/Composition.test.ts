import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, Redacted, Schema, Stream } from "effect"
import { SqlClient } from "effect/sql"
import {
  Businesses,
  BusinessId,
  FileStore,
  PaymentNoticeRefused,
  PaymentProvider,
  ProviderNotices,
  Registration,
  RegistrationInput,
  Routing,
  Uploads
} from "@livery/domain"
import { existsSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { TestDatabase } from "../../../test/support/TestDatabase.ts"
import { Livery, liveryWith } from "../src/composition/Composition.ts"
import { read, Settings } from "../src/settings/Settings.ts"

/** The settings of an installation on a new database with the project's tables. */
const SettingsOfTest = Layer.effect(
  Settings,
  Effect.gen(function* () {
    const { url } = yield* TestDatabase.create
    const directory = yield* Effect.acquireRelease(
      Effect.promise(() => mkdtemp(join(tmpdir(), "livery-composition-"))),
      (made) => Effect.promise(() => rm(made, { recursive: true, force: true }))
    )
    return yield* read({
      DATABASE_URL: Redacted.value(url),
      LIVERY_SECRET: "s".repeat(32),
      LIVERY_DATA_DIR: directory
    })
  })
)

/** A PNG of one pixel. */
const png = Uint8Array.from(
  Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=",
    "base64"
  )
)

const stored = new Map<string, Uint8Array>()

/** A file store of this test. It needs the settings, as an adapter of an embedder may. */
const OwnFiles = Layer.effect(
  FileStore,
  Effect.map(Settings, () => ({
    write: (name, bytes) => Effect.sync(() => void stored.set(name, bytes)),
    read: (name) => Effect.succeed(Option.map(Option.fromUndefinedOr(stored.get(name)), Stream.succeed)),
    remove: (name) => Effect.sync(() => void stored.delete(name))
  }))
)

const OwnPayments = Layer.mock(PaymentProvider)({
  readNotice: () => Effect.fail(new PaymentNoticeRefused({ reason: "own provider" }))
})

const actingBusiness = Effect.gen(function* () {
  const input = yield* Schema.decodeEffect(RegistrationInput)({
    name: "Ada Lovelace",
    email: "ada@example.com",
    password: "correct horse battery",
    business_name: "Lovelace Limousines"
  })
  const { business_id } = yield* (yield* Registration).register(input)
  return yield* (yield* Businesses).acting(BusinessId.make(business_id))
})

const upload = Effect.gen(function* () {
  return yield* (yield* Uploads).store(yield* actingBusiness, Effect.succeed(png))
})

describe("Livery with adapters of one's own", () => {
  it.live("calls them in place of the built-in ones, and keeps all others", () =>
    Effect.gen(function* () {
      const { file_name } = yield* upload
      assert.deepStrictEqual(stored.get(file_name), png)
      const { dataDirectory } = yield* Settings
      assert.isFalse(existsSync(join(dataDirectory, "uploads", file_name)))
      // The row is in PostgreSQL, as without the adapters.
      const rows = yield* (yield* SqlClient.SqlClient)`select file_name from uploads`
      assert.deepStrictEqual(rows, [{ file_name }])
      assert.strictEqual((yield* (yield* Uploads).find(file_name)).size, png.length)

      const refused = yield* Effect.flip((yield* ProviderNotices).receive(png, undefined))
      assert.strictEqual(refused.message, "The payment notice was refused: own provider")
      assert.isDefined(yield* Routing)
    }).pipe(
      Effect.provide(liveryWith(Layer.merge(OwnFiles, OwnPayments)).pipe(Layer.provideMerge(SettingsOfTest)))
    )
  )

  it.live("has only the built-in ones if none is given", () =>
    Effect.gen(function* () {
      stored.clear()
      const { file_name } = yield* upload
      assert.strictEqual(stored.size, 0)
      const { dataDirectory } = yield* Settings
      assert.isTrue(existsSync(join(dataDirectory, "uploads")))
      assert.strictEqual((yield* (yield* Uploads).find(file_name)).size, png.length)
    }).pipe(Effect.provide(Livery.pipe(Layer.provideMerge(SettingsOfTest))))
  )
})

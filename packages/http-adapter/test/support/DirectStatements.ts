/** The commands and workers that read the database beside the ports of the domain. */
import { assert } from "@effect/vitest"
import { BusinessId, BusinessTransfer, PlatformSettings } from "@livery/domain"
import {
  Distribution,
  EndpointSecrets,
  GatewaySecrets,
  installationName,
  migrate,
  migrations,
  RateCountersPg,
  requireUsable,
  Retention,
  SecretCheck
} from "@livery/persistence"
import { RateStore } from "@livery/domain"
import { Effect, Layer, Stream } from "effect"
import { Client } from "pg"

const onProgress = () => {}

/** Exports a business, and imports it under another slug. */
const move = Effect.fnUntraced(function* (business: number) {
  const transfer = yield* BusinessTransfer.make
  let text = ""
  yield* transfer.exportBusiness({
    businessId: BusinessId.make(business),
    actor: "test",
    write: (line) => Effect.sync(() => void (text += line)),
    complete: Effect.void,
    onProgress
  })
  yield* transfer.importBusiness({
    file: "export.jsonl",
    text: Stream.suspend(() => Stream.make(text)),
    actor: "test",
    slug: "moved-again",
    onProgress
  })
})

/** What retention runs: each table that grows begins a new generation, and drops the old one. */
const retain = Effect.fnUntraced(function* (change: (statement: string) => Effect.Effect<unknown>) {
  const sweep = Effect.provideServiceEffect(Retention.sweep, PlatformSettings, PlatformSettings.make)
  const age = change(`UPDATE table_generations SET started_at = started_at - interval '10 years',
    ended_at = ended_at - interval '10 years'`)
  yield* Effect.andThen(age, sweep)
  // Events stay while a delivery of them is due.
  yield* change("DELETE FROM webhook_delivery_history")
  yield* Effect.andThen(age, sweep)
})

/** Runs them. `url` is an address of the same database at which the preparations are made. */
export const runCommands = (url: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const client = yield* Effect.acquireRelease(
        Effect.promise(async () => {
          const opened = new Client({ connectionString: url })
          await opened.connect()
          return opened
        }),
        (opened) => Effect.promise(() => opened.end())
      )
      const change = (statement: string) =>
        Effect.promise(async () => (await client.query<{ value: number }>(statement)).rows)
      const [business] = yield* change("SELECT min(business_id)::int AS value FROM trips")
      yield* requireUsable
      yield* migrate(migrations)
      yield* Distribution.distribution()
      yield* installationName
      yield* SecretCheck.isSecretOfData
      yield* SecretCheck.reseal
      yield* EndpointSecrets.reseal(onProgress)
      yield* GatewaySecrets.reseal
      yield* RateStore.use((store) => store.take([{ key: "test", count: 1 }])).pipe(
        Effect.provide(Layer.fresh(RateCountersPg.store))
      )
      yield* move(business?.value ?? 0)
      yield* retain(change)
      const left = yield* change(
        "SELECT generation AS value FROM table_generations WHERE ended_at IS NOT NULL AND generation = 1"
      )
      assert.deepStrictEqual(left, [])
    })
  )

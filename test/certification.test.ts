import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { Client } from "pg"
import {
  certified,
  certify,
  isPerNode,
  marked,
  onEachNode,
  type Query,
  recordFaults
} from "../scripts/statements/Certification.ts"
import { nameOf, readRecord, type Recorded } from "../scripts/statements/Record.ts"
import { TestDatabase } from "./support/TestDatabase.ts"

const entry = (text: string, acceptedBy?: string): Recorded => ({
  name: nameOf(text),
  text,
  origins: ["ports"],
  acceptedBy
})

const trips = "SELECT status FROM trips WHERE business_id = $1 AND trip_id = ANY ($2::bigint[])"

const query = Effect.map(
  Effect.flatMap(TestDatabase.create, ({ url }) =>
    Effect.acquireRelease(
      Effect.promise(async () => {
        const client = new Client({ connectionString: Redacted.value(url) })
        await client.connect()
        return client
      }),
      (client) => Effect.promise(() => client.end())
    )
  ),
  (client): Query =>
    async (text, values = []) =>
      (await client.query<Record<string, unknown>>(text, [...values])).rows
)

/** A database as Citus would be: it refuses what the pattern matches. */
const refusing =
  (to: Query, pattern: RegExp): Query =>
  (text, values) =>
    pattern.test(text)
      ? Promise.reject(Object.assign(new Error("not supported on distributed tables"), { code: "0A000" }))
      : to(text, values)

const certifyOn = (to: Query, record: ReadonlyArray<Recorded>) => Effect.promise(() => certify(to, record))

const refusedOf = Effect.fnUntraced(function* (to: Query, record: ReadonlyArray<Recorded>) {
  const trials = yield* certifyOn(to, record)
  return trials.flatMap((trial) =>
    trial.outcome === "refused" ? [`${trial.entry.name}: ${trial.reason}`] : []
  )
})

describe("the trial of the recorded statements", () => {
  it.effect("accepts all of them on a plain PostgreSQL, and changes no row", () =>
    Effect.gen(function* () {
      const run = yield* query
      assert.deepStrictEqual(yield* refusedOf(run, readRecord()), [])
      const [left] = yield* Effect.promise(() => run("SELECT count(*)::int AS trips FROM trips"))
      assert.deepStrictEqual(left, { trips: 0 })
    })
  )

  it.effect("refuses a statement that the database does not know, and one that it does not support", () =>
    Effect.gen(function* () {
      const run = yield* query
      const wrong = entry("SELECT colour FROM trips WHERE business_id = $1")
      assert.deepStrictEqual(yield* refusedOf(run, [entry(trips), wrong]), [
        `${wrong.name}: column "colour" does not exist`
      ])
      assert.deepStrictEqual(yield* refusedOf(refusing(run, /^SELECT status/u), [entry(trips)]), [
        `${nameOf(trips)}: not supported on distributed tables`
      ])
    })
  )

  it.effect("accepts a statement that only its sample values or missing rows stop", () =>
    Effect.gen(function* () {
      const insert = entry(
        "INSERT INTO cars (business_id, name, created_at, updated_at) VALUES ($1, $2, $3, $4)"
      )
      const division = entry("SELECT 1 / ($1::int - 1) FROM generate_series(1, 1)")
      assert.deepStrictEqual(yield* refusedOf(yield* query, [insert, division]), [])
    })
  )

  it.effect("leaves out a statement that runs on each node", () =>
    Effect.gen(function* () {
      const onNodes = readRecord().filter(isPerNode)
      const trials = yield* certifyOn(() => Promise.reject(new Error("It was tried")), onNodes)
      assert.deepStrictEqual(
        trials.map(({ entry: { name }, outcome }) => [name, outcome]),
        onNodes.map(({ name }) => [name, "per node"])
      )
    })
  )

  it.effect("marks what is accepted with the server's version, and takes the mark of what is refused", () =>
    Effect.gen(function* () {
      const run = refusing(yield* query, /FOR UPDATE/u)
      const locking = entry(`${trips} FOR UPDATE`, "Citus 12")
      const trials = yield* certifyOn(run, [entry(trips), locking])
      assert.deepStrictEqual(
        marked(trials, "Citus 13").map(({ acceptedBy, refusedFor }) => [acceptedBy, refusedFor]),
        [
          ["Citus 13", undefined],
          [undefined, "not supported on distributed tables"]
        ]
      )
    })
  )
})

describe("the check of the record", () => {
  it("needs no mark before the first certification, and says so", () => {
    const record = [entry(trips), entry("SELECT 1 FROM cars")]
    assert.deepStrictEqual(recordFaults(record), [])
    assert.match(certified(record), /^2 statements are recorded\. None is certified/u)
  })

  it("fails for a statement without a mark once another has one, and tells what to do", () => {
    const [fault, ...others] = recordFaults([entry(trips, "Citus 13"), entry("SELECT 1 FROM cars")])
    assert.deepStrictEqual(others, [])
    assert.match(fault ?? "", /^select cars \w+ was never tried on Citus: run `npm run certify`/u)
  })

  it("needs no mark for a statement that runs on each node, and knows it by a rule that a recorded one still needs", () => {
    const onNodes = readRecord().filter(isPerNode)
    assert.deepStrictEqual(recordFaults([entry(trips, "Citus 13"), ...onNodes]), [])
    for (const { about, holds } of onEachNode)
      assert.isTrue(
        onNodes.some(({ text }) => holds.test(text)),
        about
      )
  })

  it("fails for a refused statement, and tells why it was refused", () => {
    const refused = { ...entry("SELECT 1 FROM cars"), refusedFor: "not supported" }
    assert.deepStrictEqual(recordFaults([entry(trips, "Citus 13"), refused]), [
      `${refused.name} is refused by Citus: not supported. Write it in another form`
    ])
  })

  it("fails for a statement that was changed under its mark", () => {
    const changed = { ...entry(trips, "Citus 13"), text: `${trips} AND deleted_at IS NULL` }
    assert.deepStrictEqual(recordFaults([changed]), [
      `${changed.name} was changed in the record: run \`npm run statements:write\``
    ])
  })

  it("has the same name for the same statement with other values, and another one for another statement", () => {
    const inserted = (values: string) => nameOf(`INSERT INTO cars (business_id, name) VALUES ${values}`)
    assert.strictEqual(inserted("($1, $2)"), inserted("($1, $2), ($3, $4), ($5, $6)"))
    assert.strictEqual(nameOf("SELECT 1 FROM cars LIMIT 21"), nameOf("SELECT 1 FROM cars LIMIT 51"))
    assert.notStrictEqual(nameOf("SELECT 1 FROM cars"), nameOf("SELECT 1 FROM cars FOR UPDATE"))
  })
})

import { BusinessRows } from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { eventuallyHolds } from "../../../../test/support/Eventually.ts"
import { newBusiness, newCar, TestPersistence } from "../support/TestPersistence.ts"

const cars = Effect.gen(function* () {
  const { shape, reserveIds } = yield* BusinessRows
  const { tables } = yield* shape
  const table = tables.find(({ table }) => table === "cars")
  return { reserve: reserveIds, table: table ?? assert.fail("there is no table of cars") }
})

/** Creates cars of a business on several connections until the work has ended, and returns their ids. */
const whileCarsAreCreated = Effect.fnUntraced(function* <A, E, R>(work: Effect.Effect<A, E, R>) {
  const businessId = yield* newBusiness()
  const ids: Array<number> = []
  const create = Effect.forever(
    Effect.map(newCar(businessId), (id) => {
      ids.push(id)
    })
  )
  const creating = yield* Effect.forkChild(Effect.all([create, create, create], { concurrency: "unbounded" }))
  yield* Effect.raceFirst(work, Fiber.join(creating))
  yield* Fiber.interrupt(creating)
  return ids
})

layer(TestPersistence, { excludeTestServices: true })("the reservation of a business's ids", (it) => {
  it.effect("never makes the database give an id twice", () =>
    Effect.gen(function* () {
      const { reserve, table } = yield* cars
      const businessId = yield* newBusiness()
      yield* newCar(businessId)
      const ids = yield* whileCarsAreCreated(
        Effect.forEach(Array.from({ length: 500 }), () => reserve(businessId, table), { concurrency: 4 })
      )
      assert.lengthOf(new Set(ids), ids.length)
    })
  )

  it.effect(
    "waits for a transaction that has drawn an id, which may draw a higher one than was imported",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { reserve, table } = yield* cars
        const businessId = yield* newBusiness()
        const draw = Effect.map(
          sql<{ id: number }>`SELECT nextval('cars_car_id_seq')::int AS id`,
          ([row]) => row?.id ?? assert.fail("no id was drawn")
        )
        const first = yield* newCar(businessId)
        const [hasDrawn, isReserving] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const drawing = yield* Effect.forkChild(
          sql.withTransaction(
            Effect.gen(function* () {
              const ids = [yield* draw]
              yield* Deferred.succeed(hasDrawn, undefined)
              yield* Deferred.await(isReserving)
              while ((ids.at(-1) ?? 0) < first + 6) ids.push(yield* draw)
              return ids
            })
          )
        )
        yield* Deferred.await(hasDrawn)
        yield* sql`
        INSERT INTO cars (business_id, car_id, name, created_at, updated_at) OVERRIDING SYSTEM VALUE
        VALUES (${businessId}, ${first + 4}, 'Black', now(), now())`
        const reserving = yield* Effect.forkChild(reserve(businessId, table))
        yield* eventuallyHolds(
          Effect.map(
            sql<{ waits: boolean }>`
            SELECT EXISTS (SELECT FROM pg_locks WHERE relation = 'cars_car_id_seq'::regclass AND NOT granted) AS waits`,
            ([row]) => row?.waits ?? false
          )
        )
        yield* Deferred.succeed(isReserving, undefined)
        const ids = yield* Fiber.join(drawing)
        yield* Fiber.join(reserving)
        assert.isAbove(yield* newCar(businessId), Math.max(...ids))
      })
  )

  it.effect("never does so while the sequence is behind an imported id", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { reserve, table } = yield* cars
      const businessId = yield* newBusiness()
      const imported = Effect.gen(function* () {
        const [row] = yield* sql<{ car_id: number }>`
          INSERT INTO cars (business_id, car_id, name, created_at, updated_at) OVERRIDING SYSTEM VALUE
          SELECT ${businessId}, pg_sequence_last_value('cars_car_id_seq'::regclass) + 2, 'Black', now(), now()
          ON CONFLICT DO NOTHING RETURNING car_id`
        yield* reserve(businessId, table)
        if (row !== undefined) assert.isAbove(yield* newCar(businessId), row.car_id)
      })
      yield* newCar(businessId)
      const ids = yield* whileCarsAreCreated(Effect.forEach(Array.from({ length: 100 }), () => imported))
      assert.lengthOf(new Set(ids), ids.length)
    })
  )
})

import {
  EventHistory,
  type InsertedTrip,
  type NewTrip,
  TripListRepository,
  WorkNotifier
} from "@livery/domain"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import type { Passage } from "../../../../test/support/DatabaseProxy.ts"
import { TestDatabase } from "../../../../test/support/TestDatabase.ts"
import * as PersistencePg from "../../src/PersistencePg.ts"
import { layer as pgLayer } from "../../src/sql/connections/PgClient.ts"
import { Box, newBusiness } from "../support/TestPersistence.ts"
import { insertTrip, tripOf } from "./StoredTrips.ts"

const withEvent = (trip: NewTrip) =>
  insertTrip(trip, ({ business_id, trip_id }) => ({
    eventId: `evt_${trip.reference}`,
    businessId: business_id,
    type: "trip.created",
    body: JSON.stringify({ trip_id })
  }))

/** Stores a trip that duplicates another one, while the connection of the statement breaks. Returns the stored rows. */
const storedWhile = (passage: Passage) =>
  Effect.gen(function* () {
    const { proxy, url } = yield* TestDatabase.proxied
    return yield* Effect.gen(function* () {
      const business = yield* newBusiness()
      const other = Option.getOrThrow(yield* withEvent(tripOf(business)))
      let sent = 0
      proxy.passage = (statement) => {
        if (!statement.includes("INSERT INTO trips")) return "pass"
        sent += 1
        return sent === 1 ? passage : "pass"
      }
      const inserted = yield* withEvent(tripOf(business))
      const history = Option.getOrThrow(yield* (yield* EventHistory).after(business, undefined, 10))
      const query = {
        status: undefined,
        paymentStatus: undefined,
        from: undefined,
        before: undefined,
        order: "latest" as const
      }
      const list = yield* (yield* TripListRepository).page(business, query, { page: 1, perPage: 20 })
      return { inserted, other, sent, bodies: history.bodies, trips: list.items }
    }).pipe(
      Effect.provide(
        PersistencePg.layer.pipe(
          Layer.provideMerge(Layer.mergeAll(pgLayer({ url }).pipe(Layer.orDie), Box, WorkNotifier.layer))
        )
      )
    )
  }).pipe(Effect.scoped)

describe("a new trip whose statement's answer is lost", () => {
  for (const passage of ["lose the answer", "cut"] as const)
    it.live(`is stored once, with one event, if the connection does this: ${passage}`, () =>
      Effect.gen(function* () {
        const { bodies, inserted, other, sent, trips } = yield* storedWhile(passage)
        const { duplicates, trip }: InsertedTrip = Option.getOrThrow(inserted)
        assert.deepStrictEqual(duplicates, [other.trip.trip_id])
        assert.strictEqual(sent, 2)
        assert.deepStrictEqual(
          trips.map(({ trip_id }) => trip_id),
          [trip.trip_id, other.trip.trip_id]
        )
        assert.lengthOf(bodies, 2)
        assert.include(bodies.at(-1), JSON.stringify({ trip_id: trip.trip_id }))
      })
    )
})

import { assert, it, vi } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type * as TripDetails from "../../src/trips/trip/TripDetails.ts"
import { decoded } from "../support/Decoding.ts"
import { business } from "../support/People.ts"

/** The domain and its ports in memory, where each trip has one more text, which says nothing about itself. */
const withTrialField = async () => {
  vi.resetModules()
  vi.doMock("../../src/trips/trip/TripDetails.ts", async (original) => {
    const actual = await original<typeof TripDetails>()
    const { Field, Value } = await import("../../src/kernel/index.ts")
    return {
      ...actual,
      tripDetailFields: { ...actual.tripDetailFields, trial_text: Field.optional(Value.text(100)) },
      noDetails: { ...actual.noDetails, trial_text: null }
    }
  })
  const [domain, memory] = await Promise.all([import("@livery/domain"), import("@livery/memory")])
  vi.doUnmock("../../src/trips/trip/TripDetails.ts")
  vi.resetModules()
  return { domain, memory }
}

const trial = "Rings at the back door"

it.effect(
  "An erasure removes a text that says nothing about itself, from the trip, its timeline and events",
  () =>
    Effect.gen(function* () {
      const { domain, memory } = yield* Effect.promise(withTrialField)
      const { Erasures, Trips, TripInput, UseCases } = domain
      const store = memory.Store.make()
      const acting = business(1)
      const useCases = UseCases.pipe(
        Layer.provide([
          Layer.mock(domain.AccessTokens)({}),
          Layer.mock(domain.AddressPolicy)({ allows: () => false }),
          Layer.mock(domain.FileRecognition)({}),
          Layer.mock(domain.FileStore)({}),
          Layer.mock(domain.IdentityProviders)({}),
          Layer.mock(domain.OutgoingRequests)({}),
          Layer.mock(domain.InvoiceRenderer)({}),
          Layer.mock(domain.PasswordHasher)({}),
          Layer.mock(domain.PaymentProvider)({}),
          Layer.mock(domain.SecretBox)({}),
          Layer.mock(domain.XmlReader)({})
        ]),
        Layer.provide(memory.Memory.layerOn(Layer.succeed(memory.Store, store)))
      )
      yield* Effect.gen(function* () {
        const trips = yield* Trips
        const { trip_id } = yield* trips.create(
          acting,
          decoded(TripInput, {
            trip_date: "2026-11-20T09:30:00",
            pickup_address: "Station Square 1",
            dropoff_address: "Airport",
            customer_name: "Ada Lovelace",
            customer_email: "ada@example.com",
            trial_text: trial
          })
        )
        const written = () =>
          JSON.stringify([store.trips.where(), store.timeline.where(), store.events.where()])
        assert.include(written(), trial)
        yield* Erasures.use((erasures) =>
          erasures.contact(acting, { email: "ada@example.com", phone: null, force: true, reason: null })
        )
        const erased = yield* trips.get(acting, domain.TripId.make(trip_id))
        assert.strictEqual(Reflect.get(erased, "trial_text"), null)
        assert.notInclude(written(), trial)
        assert.notInclude(written(), "ada@example.com")
      }).pipe(Effect.provide(useCases))
    })
)

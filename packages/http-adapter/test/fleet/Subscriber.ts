/** Businesses whose seats an emulated account charges for, for tests over HTTP. */
import { PaymentProvider, SeatReconciliation } from "@livery/domain"
import { type FaultKind, makeStripeEmulator } from "@livery/stripe-emulator"
import { Clock, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { eventuallyHolds } from "../../../../test/support/Eventually.ts"
import { providerOn } from "../support/EmulatedProvider.ts"
import { company } from "../support/Fleet.ts"
import { openServer, records, type TestServerOptions } from "../support/TestServer.ts"

/** A business with as many drivers as its plan includes, whose seats are charged by an emulated account. */
export const subscriber = Effect.fnUntraced(function* (options: TestServerOptions = {}) {
  const emulator = yield* makeStripeEmulator()
  const provider = yield* providerOn(emulator)
  const server = yield* openServer(options).pipe(Effect.provideService(PaymentProvider, provider))
  const owner = yield* company(server, "pro")
  const sql = yield* SqlClient.SqlClient
  const { businessId, send } = owner
  const subscription = yield* emulator.subscribe("usd", [{ unitAmount: 1500, quantity: 0 }])
  const item = subscription.items.data[0]?.id ?? "none"
  yield* sql`UPDATE businesses SET subscription_item_id = ${item} WHERE business_id = ${businessId}`
  yield* sql`
    INSERT INTO drivers (business_id, name, active, created_at, updated_at)
    SELECT ${businessId}, 'Driver ' || n, true, now(), now() FROM generate_series(1, 10) n`
  /** Runs a worker, which begins with a sweep, until a condition holds. */
  const reconcileUntil = (holds: Effect.Effect<boolean>) =>
    Layer.build(Layer.fresh(SeatReconciliation.layer)).pipe(
      Effect.provideService(PaymentProvider, provider),
      Effect.andThen(eventuallyHolds(holds)),
      Effect.scoped
    )
  return {
    ...owner,
    server,
    emulator,
    buy: (headers?: Readonly<Record<string, string>>) =>
      send("POST", "/drivers", { name: "New", confirm_seat: true }, headers),
    /** The quantity that the account charges for. */
    charged: () => emulator.subscriptions()[0]?.items.data[0]?.quantity,
    /** How often the account changed the quantity. */
    changes: () => emulator.events().filter(({ type }) => type === "customer.subscription.updated").length,
    fault: (kind: FaultKind, times = 1) =>
      emulator.fault({ operation: "subscription_items.update", kind, times }),
    drivers: Effect.map(send("GET", "/drivers?per_page=100"), (answer) => records(answer).length),
    seats: Effect.map(
      sql<{ seats: number }>`
        SELECT count(*)::int AS seats FROM driver_seats
        WHERE business_id = ${businessId} AND ended_at IS NULL`,
      ([row]) => row?.seats
    ),
    /** Hours until the next reconciliation. */
    hours: Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const [row] = yield* sql<{ due: number }>`
        SELECT extract(epoch FROM due_at)::float8 AS due FROM seat_subscriptions WHERE business_id = ${businessId}`
      return ((row?.due ?? 0) * 1000 - now) / 3_600_000
    }).pipe(Effect.orDie),
    reconcileUntil,
    /** Runs a worker until the account charges for so many seats. */
    reconciledTo: (quantity: number) =>
      reconcileUntil(Effect.sync(() => emulator.subscriptions()[0]?.items.data[0]?.quantity === quantity))
  }
})

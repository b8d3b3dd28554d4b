/** A business that emails its customers, with a number of email credits. */
import { BusinessId } from "@livery/domain"
import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { lockBusiness } from "../../../persistence/src/sql/statements/BusinessLock.ts"
import { eventuallyHolds } from "../../../../test/support/Eventually.ts"
import { company } from "../support/Fleet.ts"
import { creditsOf, messagesTo, setCredits } from "../support/People.ts"
import { excursion } from "../support/Tenant.ts"
import { openServer, record } from "../support/TestServer.ts"
import { ride } from "./QuoteSeller.ts"

let customers = 0

/** A business with that many email credits, and a customer with a new address. */
export const seller = Effect.fnUntraced(function* (credits: number) {
  const server = yield* openServer()
  const owner = yield* company(server)
  yield* setCredits(owner.businessId, credits)
  const email = `customer${(customers += 1)}@example.com`
  const customer = { customer_name: "Ada <b>", customer_email: email }
  const { product_id } = record(yield* owner.send("POST", "/products", { ...excursion, capacity: null }))
  const quote = Effect.map(owner.send("POST", "/quotes", { ...customer, items: [ride] }), record)
  const booking = Effect.map(
    owner.send("POST", "/bookings", { ...customer, product_id, starts_at: "2026-12-24T18:00:00Z" }),
    record
  )
  const creditsLeft = creditsOf(owner.businessId)
  return { ...owner, booking, creditsLeft, customer, email, mails: messagesTo(email), quote, server }
})

/** Begins a request that waits for the lock of its business, makes a change meanwhile, and returns the answer. */
export const whileBusinessIsLocked = Effect.fnUntraced(function* <A, E, R>(
  businessId: unknown,
  request: Effect.Effect<A, E, R>,
  change: Effect.Effect<unknown, unknown>
) {
  const sql = yield* SqlClient.SqlClient
  const locked = yield* Deferred.make<void>()
  const changed = yield* Deferred.make<void>()
  const holder = yield* Effect.forkChild(
    sql.withTransaction(
      Effect.gen(function* () {
        yield* lockBusiness(sql, BusinessId.make(Number(businessId)))
        yield* Deferred.succeed(locked, undefined)
        yield* Deferred.await(changed)
      })
    )
  )
  yield* Deferred.await(locked)
  const asked = yield* Effect.forkChild(request)
  yield* eventuallyHolds(
    Effect.map(
      sql`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      ({ length }) => length > 0
    )
  )
  yield* change
  yield* Deferred.succeed(changed, undefined)
  yield* Fiber.join(holder)
  return yield* Fiber.join(asked)
})

import {
  type BusinessId,
  BusinessRepository,
  type CustomerId,
  ErasureRepository,
  Erasures,
  type ErasureRun,
  ForegroundErasure,
  ErasureSweep,
  PersonalData,
  RateCounters,
  UseCases
} from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { Clock, type Context, DateTime, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { unique } from "../../../../test/contract/Contract.ts"
import { newBusiness, newCustomer } from "../../../../test/contract/Given.ts"
import { eventually, eventuallyHolds } from "../../../../test/support/Eventually.ts"
import { Ports } from "../support/TestPorts.ts"

type Personal = Context.Service.Shape<typeof PersonalData>

/** The use cases of a node, whose `PersonalData` is changed. */
const nodeWith = (change: (personal: Personal) => Partial<Personal> = () => ({})) =>
  UseCases.pipe(
    Layer.provide(RateCounters.layerMemory),
    Layer.provide(
      Layer.effect(
        PersonalData,
        Effect.map(PersonalData, (personal) => PersonalData.of({ ...personal, ...change(personal) }))
      )
    ),
    Layer.fresh
  )

/** Runs the worker of a node until a condition holds. */
const sweepUntil = <E, R, R2 = never>(
  node: Layer.Layer<ErasureRun, unknown, R>,
  isDone: Effect.Effect<boolean, E, R>,
  between?: Effect.Effect<void, never, R2>
) =>
  Effect.scoped(
    Effect.gen(function* () {
      yield* Layer.build(ErasureSweep.layer.pipe(Layer.provide(node), Layer.fresh))
      yield* eventuallyHolds(isDone, between)
    })
  )

const addTrips = Effect.fnUntraced(function* (business: BusinessId, customer: CustomerId, count: number) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    INSERT INTO trips (business_id, reference, status, payment_status, trip_type, trip_date, pickup_address,
      dropoff_address, customer_id, customer_name, currency, created_at, updated_at)
    SELECT ${business}, 'TR-' || n, 'completed', 'unpaid', 'transfer', now(), 'a', 'b', ${customer}, 'Ada', 'USD',
      now(), now()
    FROM generate_series(1, ${count}::int) n`
})

/** A customer of a new business, with trips. */
const person = Effect.fnUntraced(function* (trips: number) {
  const sql = yield* SqlClient.SqlClient
  const erasures = yield* ErasureRepository
  const businesses = yield* BusinessRepository
  const business = yield* newBusiness
  const email = `${unique("ada")}@example.com`
  const customer = yield* newCustomer(business, { name: "Ada", email })
  yield* addTrips(business, customer, trips)
  const key = `${business}/customer:${customer}`
  return {
    business,
    customer,
    email,
    acting: Option.getOrThrow(yield* businesses.find(business)),
    isDone: Effect.map(erasures.find(key), Option.isNone),
    /** The erasure ends with this entry of the audit log. */
    entries: sql<{ readonly actor: string; readonly reason: string; readonly after: object }>`
      SELECT actor, reason, after FROM audit_log WHERE business_id = ${business} AND action = 'person.erased'`,
    left: sql<{ readonly name: string }>`
      SELECT name FROM customers WHERE business_id = ${business} AND name <> 'Erased'
      UNION ALL SELECT customer_name FROM trips WHERE business_id = ${business} AND customer_name <> 'Erased'`
  }
})

/** Erases a person on a node that ends at the beginning of window `windows + 1` of the trips. */
const interruptedNow = Effect.fnUntraced(function* (
  { acting, customer, isDone }: Effect.Success<ReturnType<typeof person>>,
  windows: number
) {
  let begun = 0
  const node = nodeWith(({ lockTrips }) => ({
    lockTrips: (...window) => (begun++ < windows ? lockTrips(...window) : Effect.interrupt)
  }))
  const erase = Effect.flatMap(Erasures, ({ customer: erase }) =>
    erase(acting, customer, { force: true, reason: "Ticket 4711" })
  )
  yield* Effect.exit(Effect.provide(erase, node))
  assert.isFalse(yield* isDone)
})

/** The same; the lease of the node has ended. */
const interrupted = (...erasure: Parameters<typeof interruptedNow>) =>
  Effect.andThen(interruptedNow(...erasure), TestClock.adjust("3 minutes"))

layer(Ports, { timeout: 60_000 })("an interrupted erasure", (it) => {
  it.effect("is completed by a worker, from the window at which it was interrupted", () =>
    Effect.gen(function* () {
      const ada = yield* person(250)
      yield* interrupted(ada, 2)
      const windows: Array<number> = []
      const node = nodeWith(({ lockTrips }) => ({
        lockTrips: (one, after, limit) =>
          Effect.andThen(
            Effect.sync(() => void windows.push(after)),
            lockTrips(one, after, limit)
          )
      }))
      yield* sweepUntil(node, ada.isDone)
      assert.deepStrictEqual([windows.length, windows[0] === 0, windows[1]], [2, false, 0])
      assert.deepStrictEqual(yield* ada.left, [])
      const [entry, ...others] = yield* ada.entries
      assert.deepStrictEqual(others, [])
      assert.deepInclude(entry, { actor: "system", reason: "Ticket 4711" })
      assert.deepInclude(entry?.after, { customers: 1, trips: 250 })
    })
  )

  it.effect("is continued by a worker within five minutes, which docs/operations/data.md promises", () =>
    Effect.gen(function* () {
      const ada = yield* person(1)
      const noted = { claims: 0, isContinued: false }
      const noting = Layer.effect(
        ErasureRepository,
        Effect.map(ErasureRepository, (erasures) =>
          ErasureRepository.of({
            ...erasures,
            claim: (...lease) =>
              Effect.tap(erasures.claim(...lease), (held) =>
                Effect.sync(() => {
                  noted.claims += 1
                  noted.isContinued ||= Option.isSome(held)
                })
              )
          })
        )
      )
      const node = nodeWith().pipe(Layer.provide(noting))
      yield* interruptedNow(ada, 0)
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* Layer.build(ErasureSweep.layer.pipe(Layer.provide(node), Layer.fresh))
          yield* eventually(() => noted.claims === 1)
          assert.isFalse(noted.isContinued, "the lease of the interrupted node has not ended")
          for (let minute = 0; minute < 5 && !noted.isContinued; minute++) {
            const before = noted.claims
            yield* TestClock.adjust("1 minute")
            yield* eventually(() => noted.claims > before)
          }
          assert.isTrue(noted.isContinued)
          yield* eventuallyHolds(ada.isDone, TestClock.adjust("1 second"))
        })
      )
      assert.deepStrictEqual(yield* ada.left, [])
    })
  )

  it.effect("is completed once by the workers of two nodes", () =>
    Effect.gen(function* () {
      const persons = yield* Effect.forEach([120, 1, 1], person)
      for (const one of persons) yield* interrupted(one, 1)
      const isDone = Effect.map(
        Effect.forEach(persons, (one) => one.isDone),
        (all) => all.every(Boolean)
      )
      yield* Effect.all([sweepUntil(nodeWith(), isDone), sweepUntil(nodeWith(), isDone)], {
        concurrency: "unbounded"
      })
      for (const one of persons) {
        assert.deepStrictEqual(yield* one.left, [])
        assert.lengthOf(yield* one.entries, 1)
      }
    })
  )

  it.effect("is left to the process that works on it", () =>
    Effect.gen(function* () {
      const [working, other] = [yield* person(1), yield* person(1)]
      yield* interrupted(other, 0)
      yield* interrupted(working, 0)
      const erasures = yield* ErasureRepository
      const now = yield* DateTime.now
      const { business, customer, email } = working
      const subject = `customer:${customer}`
      yield* erasures.begin(
        {
          key: `${business}/${subject}`,
          subject,
          actor: "system",
          reason: null,
          person: {
            business_id: business,
            customer_ids: [customer],
            driver_ids: [],
            user_ids: [],
            names: ["Ada"],
            emails: [email],
            phones: []
          }
        },
        { lease: unique("lease"), until: DateTime.add(now, { minutes: 2 }) },
        now
      )
      yield* sweepUntil(nodeWith(), other.isDone)
      assert.isFalse(yield* working.isDone)
      yield* TestClock.adjust("3 minutes")
      yield* sweepUntil(nodeWith(), working.isDone)
      assert.deepStrictEqual(yield* working.left, [])
    })
  )

  it.effect("that fails is tried again after a minute, and then after two, and does not delay another", () =>
    Effect.gen(function* () {
      const [failing, other] = [yield* person(1), yield* person(1)]
      for (const one of [failing, other]) yield* interrupted(one, 0)
      const attempts: Array<number> = []
      const isFailing = { now: true }
      const node = nodeWith(({ lockTrips }) => ({
        lockTrips: Effect.fnUntraced(function* (one, after, limit) {
          if (isFailing.now && one.emails.includes(failing.email)) {
            attempts.push(yield* Clock.currentTimeMillis)
            return yield* Effect.die(new Error("It fails"))
          }
          return yield* lockTrips(one, after, limit)
        })
      }))
      yield* sweepUntil(node, other.isDone)
      assert.lengthOf(attempts, 1)
      const tried = Effect.sync(() => attempts.length === 3)
      yield* sweepUntil(node, tried, TestClock.adjust("10 seconds"))
      const [first = 0, second = 0, third = 0] = attempts
      assert.isAtLeast(second - first, 60_000)
      assert.isAtLeast(third - second, 120_000)
      isFailing.now = false
      yield* sweepUntil(node, failing.isDone, TestClock.adjust("10 seconds"))
      assert.deepStrictEqual(yield* failing.left, [])
    })
  )
})

layer(Ports, { timeout: 60_000 })("many erasures at once", (it) => {
  it.effect(
    "are accepted two at a time, so that those that wait keep no connection from other requests",
    () =>
      Effect.gen(function* () {
        const people = yield* Effect.forEach([1, 2, 3, 4, 5], person)
        const accepting = { now: 0, most: 0 }
        const node = nodeWith(({ retire }) => ({
          retire: (...args) =>
            Effect.gen(function* () {
              accepting.most = Math.max(accepting.most, (accepting.now += 1))
              yield* retire(...args)
              for (let turn = 0; turn < 5; turn += 1) yield* Effect.yieldNow
              accepting.now -= 1
            })
        }))
        const { customer: erase } = yield* Erasures.pipe(Effect.provide(node))
        yield* Effect.forEach(
          people,
          (one) => erase(one.acting, one.customer, { force: true, reason: "Ticket 4711" }),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(accepting.most, 2)
        for (const one of people) assert.isEmpty(yield* one.left)
      })
  )
})

layer(Ports, { timeout: 60_000 })("an erasure in a large history", (it) => {
  it.effect("is accepted at once with `pending`, and completed by a worker", () =>
    Effect.gen(function* () {
      const ada = yield* person(5)
      const node = nodeWith().pipe(Layer.provide(Layer.succeed(ForegroundErasure, 0)))
      const record = yield* Effect.flatMap(Erasures, ({ customer: erase }) =>
        erase(ada.acting, ada.customer, { force: true, reason: "Ticket 4711" })
      ).pipe(Effect.provide(node))
      assert.deepInclude(record, { erased: true, pending: true, customers: 1, trips: 0 })
      assert.isFalse(yield* ada.isDone)
      assert.lengthOf(yield* ada.left, 6)
      yield* sweepUntil(nodeWith(), ada.isDone, TestClock.adjust("1 minute"))
      assert.isEmpty(yield* ada.left)
      const [entry] = yield* ada.entries
      assert.deepInclude(entry?.after, { erased: true, customers: 1, trips: 5 })
    })
  )

  it.effect("goes on while its request is repeated until it no longer answers `pending`", () =>
    Effect.gen(function* () {
      const ada = yield* person(250)
      const node = nodeWith().pipe(Layer.provide(Layer.succeed(ForegroundErasure, 0)))
      const erase = Effect.flatMap(Erasures, ({ customer: erase }) =>
        erase(ada.acting, ada.customer, { force: true, reason: "Ticket 4711" })
      ).pipe(Effect.provide(node))
      assert.isTrue((yield* erase).pending)
      let windows = 0
      const worker = nodeWith(({ lockTrips }) => ({
        lockTrips: (...window) =>
          Effect.gen(function* () {
            windows += 1
            return yield* lockTrips(...window)
          })
      }))
      const repeated = Effect.gen(function* () {
        if (windows < 4) yield* erase
        yield* TestClock.adjust("1 second")
      })
      yield* sweepUntil(worker, ada.isDone, Effect.orDie(repeated))
      assert.strictEqual(windows, 4, "three for the trips, and one that finds nothing to change")
      assert.isEmpty(yield* ada.left)
      const [entry, ...others] = yield* ada.entries
      assert.isEmpty(others)
      assert.deepInclude(entry?.after, { customers: 1, trips: 250 })
    })
  )
})

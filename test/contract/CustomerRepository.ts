/** The contract of `CustomerRepository`. */
import {
  CustomerRepository,
  DriverId,
  DriverRepository,
  EmailExists,
  searchedWords,
  Transaction
} from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect, Exit, Option } from "effect"
import { at, atOnce, contract } from "./Contract.ts"
import { customerInput, newBusiness, newCustomer, newDriver, newTrip, now, wholeList } from "./Given.ts"

export const customerRepository = contract("a customer", (it) => {
  it.effect("is returned as stored, to its own business alone", () =>
    Effect.gen(function* () {
      const customers = yield* CustomerRepository
      const [business, other] = [yield* newBusiness, yield* newBusiness]
      const input = customerInput({
        email: "ada@example.com",
        company: "Lovelace",
        phone: "+41 44 1",
        untaxed_as: "reverse_charge",
        untaxed_reason: "Art. 196",
        preferred_driver_ids: [DriverId.make(5), DriverId.make(3)],
        refused_driver_ids: [DriverId.make(4)]
      })
      const stored = yield* customers.insert(business, input, now)
      const { customer_id } = stored
      assert.deepStrictEqual(stored, {
        ...input,
        customer_id,
        business_id: business,
        created_at: now,
        updated_at: now
      })
      for (const read of [customers.find, customers.lock, customers.lockForDelete]) {
        assert.deepStrictEqual(yield* read(business, customer_id), Option.some(stored))
        assert.deepStrictEqual(yield* read(other, customer_id), Option.none())
      }
      const changed = customerInput({ name: "Augusta", email: "ada@example.com" })
      const expected = { ...stored, ...changed, updated_at: at("10:00:00") }
      assert.deepStrictEqual(
        yield* customers.update(business, customer_id, changed, at("10:00:00")),
        expected
      )
      assert.deepStrictEqual(yield* customers.find(business, customer_id), Option.some(expected))
    })
  )

  it.effect("chooses among the drivers of its business who are not deleted", () =>
    Effect.gen(function* () {
      const customers = yield* CustomerRepository
      const [business, other] = [yield* newBusiness, yield* newBusiness]
      const [dan, gone, theirs] = [
        yield* newDriver(business),
        yield* newDriver(business),
        yield* newDriver(other)
      ]
      yield* (yield* DriverRepository).remove(business, gone, now)
      assert.deepStrictEqual(yield* customers.driversAmong(business, [theirs, gone, dan]), [dan])
      assert.deepStrictEqual(yield* customers.driversAmong(business, []), [])
    })
  )

  it.effect("is the business's only one with its email, also if several are stored at once", () =>
    Effect.gen(function* () {
      const customers = yield* CustomerRepository
      const business = yield* newBusiness
      const input = customerInput({ email: "ada@example.com" })
      const exits = yield* atOnce(5, () => Effect.exit(customers.insert(business, input, now)))
      assert.lengthOf(exits.filter(Exit.isSuccess), 1)
      assert.isFalse(exits.some(Exit.hasDies))
      const other = yield* newCustomer(business)
      assert.deepStrictEqual(
        yield* Effect.flip(customers.update(business, other, input, now)),
        new EmailExists()
      )
      yield* customers.insert(yield* newBusiness, input, now)
      const first = exits.find(Exit.isSuccess)
      if (first !== undefined) yield* customers.remove(business, first.value.customer_id, now)
      assert.strictEqual((yield* customers.update(business, other, input, now)).email, "ada@example.com")
    })
  )

  it.effect("is listed by name, then id, and found by the beginnings of words", () =>
    Effect.gen(function* () {
      const customers = yield* CustomerRepository
      const business = yield* newBusiness
      yield* newCustomer(yield* newBusiness, { name: "Ada Lovelace" })
      const zoe = yield* newCustomer(business, { name: "Zoë Müller", phone: "+41 79 123 45 67" })
      const ada = yield* newCustomer(business, { name: "Ada Lovelace", email: "ada@example.com" })
      const another = yield* newCustomer(business, { name: "Ada Lovelace", company: "Engines & Söhne" })
      const found = (search?: string) =>
        Effect.map(
          customers.list(business, search === undefined ? undefined : searchedWords(search), wholeList),
          ({ items }) => items.map(({ customer_id }) => customer_id)
        )
      assert.deepStrictEqual(yield* found(), [ada, another, zoe])
      assert.deepStrictEqual(yield* found("lov AD"), [ada, another])
      assert.deepStrictEqual(yield* found("ada@exam"), [ada])
      assert.deepStrictEqual(yield* found("zoe mull"), [zoe])
      assert.deepStrictEqual(yield* found("079 123 45"), [zoe])
      assert.deepStrictEqual(yield* found("sohne ada"), [another])
      assert.deepStrictEqual(yield* found("velace"), [])
      assert.deepStrictEqual(yield* found("!"), [])
      const page = yield* customers.list(business, searchedWords("ada"), { page: 2, perPage: 1 })
      assert.deepStrictEqual([page.items.length, page.total, page.hasMore], [1, 2, false])
      const beyond = yield* customers.list(business, searchedWords("ada"), { page: 9, perPage: 2 })
      assert.deepStrictEqual([beyond.items, beyond.total], [[], 2])
      for (const text of ["'", "\\", "a'b\\c@d", ":*", "a:b@c & d"])
        assert.deepStrictEqual(yield* found(text), [])
    })
  )

  it.effect("that is deleted is found by nothing, also if a trip refers to it", () =>
    Effect.gen(function* () {
      const customers = yield* CustomerRepository
      const transaction = yield* Transaction
      const business = yield* newBusiness
      const [used, unused] = [yield* newCustomer(business), yield* newCustomer(business)]
      yield* newTrip(business, { customer_id: used })
      yield* customers.remove(yield* newBusiness, unused, now)
      assert.isTrue(Option.isSome(yield* customers.find(business, unused)))
      for (const customer of [used, unused]) {
        const remove = customers.remove(business, customer, now)
        yield* Effect.flip(transaction.run(Effect.andThen(remove, Effect.fail("no"))))
        assert.isTrue(Option.isSome(yield* customers.find(business, customer)))
        yield* remove
        assert.deepStrictEqual(yield* customers.find(business, customer), Option.none())
        const update = customers.update(business, customer, customerInput(), now)
        assert.isTrue(Exit.hasDies(yield* Effect.exit(update)))
      }
      assert.deepStrictEqual(yield* customers.list(business, undefined, wholeList), {
        items: [],
        total: 0,
        hasMore: false
      })
      assert.deepStrictEqual((yield* customers.list(business, searchedWords("ada"), wholeList)).items, [])
    })
  )

  it.effect("gets an email in a transaction that has locked the business's emails", () =>
    Effect.gen(function* () {
      const customers = yield* CustomerRepository
      const transaction = yield* Transaction
      const business = yield* newBusiness
      const ids = [yield* newCustomer(business), yield* newCustomer(business)]
      const input = customerInput({ email: "ada@example.com" })
      const exits = yield* Effect.forEach(
        ids,
        (id) =>
          Effect.exit(
            transaction.run(
              Effect.andThen(customers.lockEmails(business), customers.update(business, id, input, now))
            )
          ),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(exits.filter(Exit.isSuccess), 1)
    })
  )
})

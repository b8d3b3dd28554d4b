/** The contract of `MatchRepository`, and of inserting many customers. */
import { CustomerInput, CustomerRepository, MatchRepository } from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { contract } from "./Contract.ts"
import { newBusiness, now } from "./Given.ts"

const customer = (fields: typeof CustomerInput.Encoded) => Schema.decodeSync(CustomerInput)(fields)

export const matchRepository = contract("the records of many lines", (it) => {
  it.effect("are customers by an external_ref, an email, the end of a phone number, or a name", () =>
    Effect.gen(function* () {
      const matches = yield* MatchRepository
      const customers = yield* CustomerRepository
      const [business, other] = [yield* newBusiness, yield* newBusiness]
      const all = [
        customer({ name: "Ada", external_ref: "K-1" }),
        customer({ name: "Grace", email: "grace@example.com" }),
        customer({ name: "Jo", phone: "+41 44 668 18 00" }),
        customer({ name: "Mary" }),
        customer({ name: "Nobody" })
      ]
      const stored = yield* customers.insertAll(business, all, now)
      yield* customers.insertAll(other, all, now)
      assert.deepStrictEqual(
        stored.map(({ name }) => name),
        all.map(({ name }) => name)
      )
      const found = yield* matches.customers(business, {
        refs: ["K-1", "K-2"],
        emails: ["grace@example.com"],
        phones: ["446681800"],
        names: ["Mary"]
      })
      assert.deepStrictEqual(found, stored.slice(0, 4))
      const none = { refs: [], emails: [], phones: [], names: [] }
      assert.deepStrictEqual(yield* matches.customers(business, none), [])
    })
  )

  it.effect("a customer whose email another one has is left out, and the others are stored", () =>
    Effect.gen(function* () {
      const customers = yield* CustomerRepository
      const business = yield* newBusiness
      yield* customers.insert(business, customer({ name: "Ada", email: "ada@example.com" }), now)
      const stored = yield* customers.insertAll(
        business,
        [customer({ name: "Again", email: "ada@example.com" }), customer({ name: "Grace" })],
        now
      )
      assert.deepStrictEqual(
        stored.map(({ name }) => name),
        ["Grace"]
      )
    })
  )
})

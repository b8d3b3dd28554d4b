import { MailOutbox } from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { bookingPage, addresses, later } from "../sales/BookingPage.ts"
import { member, superAdmin } from "../support/People.ts"
import { Ports } from "../support/TestPorts.ts"
import { openServer, record } from "../support/TestServer.ts"

/** The subjects of the waiting messages to an address, in order. It leaves the other messages. */
const subjectsTo = Effect.fnUntraced(function* (email: string) {
  const outbox = yield* MailOutbox
  const claimed = yield* outbox.claim(100)
  yield* Effect.forEach(claimed, ({ mailId }) => outbox.postpone(mailId, 0, "read by a test"))
  return claimed
    .flatMap(({ message }) => (message?.to === email ? [message.subject] : []))
    .toSorted((one, other) => one.localeCompare(other))
})

layer(Ports, { timeout: 120_000 })("an erasure by a telephone number", (it) => {
  it.effect("finds the person in each spelling of the number, and says so if it finds nobody", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { send } = yield* bookingPage(server)
      record(yield* send("PATCH", "/settings/business", { country: "GB" }))
      const trip_date = yield* later("3 days")
      const spellings = [
        "+44 (0)20 7946 0018",
        "020 7946 0018 ext. 12",
        "\u0660\u0662\u0660 \u0667\u0669\u0664\u0666 \u0660\u0660\u0661\u0668"
      ]
      const ids = yield* Effect.forEach(spellings, (phone) =>
        Effect.map(
          send("POST", "/trips", {
            trip_date,
            pickup_address: "Here",
            dropoff_address: "There",
            customer_name: "Firm",
            passengers: [{ name: "Ada", phone }]
          }),
          (booked) => Number(record(booked)["trip_id"])
        )
      )
      assert.deepInclude(record(yield* send("GET", `/trips/${ids[0]}`)), {
        passengers: [{ name: "Ada", phone: spellings[0], email: null }]
      })
      const erase = (phone: string) => send("POST", "/persons/erase", { phone, force: true })
      assert.deepInclude(record(yield* erase("+442079460019")), { erased: false, trips: 0, customers: 0 })
      assert.deepInclude(record(yield* erase("+442079460018")), { erased: true, trips: spellings.length })
      for (const id of ids)
        assert.deepInclude(record(yield* send("GET", `/trips/${id}`)), {
          passengers: [],
          customer_name: "Firm"
        })
      assert.deepInclude(record(yield* erase("0044 20 7946 0018")), { erased: false, trips: 0 })
    })
  )
})

layer(Ports, { timeout: 120_000 })("an erasure that a business requests", (it) => {
  it.effect("leaves the stored responses and unsent messages of other businesses and accounts", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const [one, other] = [yield* bookingPage(server), yield* bookingPage(server)]
      const root = yield* superAdmin(server)
      const { email, userId } = yield* member(server)
      const trip_date = yield* later("3 days")
      const headers = { "Idempotency-Key": "ada" }

      /** What a business and its page respond to a request that they may have carried out before. */
      const responses = Effect.fnUntraced(function* ({ path, send }: typeof one) {
        const made = yield* send("POST", "/customers", { name: "Ada", email }, headers)
        const quote = { trip_date, customer_name: "Ada", customer_email: email, ...addresses }
        const asked = yield* server.send("POST", `${path}/quotes`, { body: quote, headers })
        return { customer: record(made), quote: asked.body.data }
      })
      const invite = Effect.fnUntraced(function* ({ driver, send }: typeof one) {
        const { driver_id } = yield* driver({ email })
        record(yield* send("POST", `/drivers/${String(driver_id)}/invite`))
      })
      const before = yield* responses(one)
      const otherBefore = yield* responses(other)
      yield* invite(one)
      yield* invite(other)
      record(yield* server.send("POST", "/auth/password-reset", { body: { email } }))
      const invitation = `${other.business_name} invites you to drive`
      const reset = "A new password for Livery"
      assert.sameMembers(yield* subjectsTo(email), [
        reset,
        invitation,
        `${one.business_name} invites you to drive`
      ])

      record(yield* one.send("POST", "/persons/erase", { email, force: true }))
      const after = yield* responses(one)
      assert.include(JSON.stringify(before), email)
      assert.notInclude(JSON.stringify(after), email)
      assert.strictEqual(after.customer["customer_id"], before.customer["customer_id"])
      assert.deepStrictEqual(yield* responses(other), otherBefore)
      assert.sameMembers(yield* subjectsTo(email), [reset, invitation])

      const sql = yield* SqlClient.SqlClient
      // The only owner of a business cannot be erased.
      yield* sql`DELETE FROM business_members WHERE user_id = ${userId}`
      record(
        yield* server.send("POST", `/admin/users/${userId}/erase`, {
          credential: root.token,
          body: { force: true }
        })
      )
      assert.deepStrictEqual(yield* subjectsTo(email), [])
    })
  )
})

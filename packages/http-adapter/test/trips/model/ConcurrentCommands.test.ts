import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { extent } from "../../../../../test/faults/support/Extent.ts"
import { Ports } from "../../support/TestPorts.ts"
import { record } from "../../support/TestServer.ts"
import { byHttp, ServerAndPeople } from "./ByHttp.ts"
import type { Command } from "./Command.ts"
import { assertInvariants } from "./Invariants.ts"
import { timeOf } from "./State.ts"
import { outcomeOf } from "./Reference.ts"
import { sampleSequences } from "./Sequences.ts"
import { commandOf } from "./Step.ts"
import { possibleCommand } from "./Subject.ts"
import { compareCommands } from "./Comparison.ts"
import { emptyModel } from "./Model.ts"

const rounds = Math.ceil(Number(process.env["LIVERY_TEST_TRIP_RACES"] ?? extent(25, 10)) / 10)

const names = ["ada", "grace", "mary"]

const book = (slot: number, car: number | null): Command => ({ act: "book", slot, minutes: null, car })

/** The records of each round: six trips, three drivers, two cars. */
const opening: ReadonlyArray<Command> = [
  ...Array.from({ length: 3 }, (): Command => ({ act: "hire", active: true, confirmSeat: false })),
  ...Array.from({ length: 2 }, (): Command => ({ act: "buy", active: true })),
  ...Array.from({ length: 6 }, (_, slot) => book(slot, slot % 2)),
  ...Array.from({ length: 6 }, (_, trip): Command => ({
    act: "assign",
    trip,
    drivers: [trip % 3, (trip + 1) % 3],
    force: true
  }))
]

layer(ServerAndPeople.layer.pipe(Layer.provideMerge(Ports)), { timeout: 60_000 })("a burst", (it) => {
  it.effect(
    "of concurrent commands of every kind causes no fault, and every rule holds afterwards",
    () =>
      Effect.gen(function* () {
        const model = opening.reduce((standing, command) => outcomeOf(standing, command).model, emptyModel)
        const sequences = yield* sampleSequences(rounds * 8)
        for (let round = 0; round < rounds; round++) {
          const subject = yield* byHttp
          yield* compareCommands(subject, opening)
          const customers = yield* Effect.forEach(names, (name) =>
            Effect.map(subject.send("POST", "/customers", { name, email: `${name}@example.com` }), (answer) =>
              Number(record(answer)["customer_id"])
            )
          )
          const trips = [...subject.made.trips]
          yield* Effect.forEach(trips, (trip, index) =>
            subject.send("PATCH", `/trips/${trip}`, { customer_id: customers[index % 3] })
          )
          const send = (method: string, path: string, body: unknown) =>
            Effect.map(subject.send(method, path, body), ({ fault, status, text }) =>
              assert.isBelow(status, 500, fault ?? text)
            )
          /** Further requests, about a trip and about customers. */
          const besides = (index: number): Effect.Effect<void> => {
            const [trip, customer] = [trips[index % 6], customers[index % 3]]
            const email = `${names[index % 3]}@example.com`
            switch (index % 7) {
              case 0:
                return send("PATCH", `/trips/${trip}`, {
                  customer_id: customer,
                  trip_date: timeOf(index % 5)
                })
              case 1:
                return send("POST", "/trips", {
                  trip_date: timeOf(index % 5),
                  pickup_address: "Here",
                  dropoff_address: "There",
                  customer_name: "Ada",
                  customer_email: email
                })
              case 2:
                return send("PATCH", `/customers/${customer}`, { name: `Ada ${index}` })
              case 3:
                return send("DELETE", `/customers/${customer}`, { force: index % 5 === 0 })
              case 4:
                return send("POST", `/trips/${trip}/duplicate`, { customer_email: email })
              case 5:
                return send("POST", "/customers", { name: "Ada", email })
              default:
                return send("PATCH", "/settings/business", { phone: `+41 ${index}` })
            }
          }
          const commands = sequences.slice(round * 8, round * 8 + 8).flat()
          yield* Effect.forEach(
            commands,
            (step, index) =>
              Effect.andThen(subject.run(possibleCommand(commandOf(step, model))), besides(index)),
            { concurrency: 16, discard: true }
          )
          yield* assertInvariants(subject.businessId)
        }
      }),
    { timeout: 3_600_000 }
  )
})

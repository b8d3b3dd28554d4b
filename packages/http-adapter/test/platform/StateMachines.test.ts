import { assert, layer } from "@effect/vitest"
import { tripMachine } from "@livery/domain"
import { Effect } from "effect"
import { PortsInMemory } from "../support/TestPorts.ts"
import { openServer, records } from "../support/TestServer.ts"

layer(PortsInMemory)("GET /meta/state-machines", (it) => {
  it.effect("returns the tables that the records follow, without a credential", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const answer = yield* server.send("GET", "/meta/state-machines")
      const machines = records(answer)
      assert.deepStrictEqual(
        machines.map(({ name }) => name),
        ["trip", "assignment", "invoice", "quote", "booking", "endpoint", "delivery", "business"]
      )
      const [trip] = machines
      assert.deepInclude(trip, {
        states: ["pending", "confirmed", "in_progress", "completed", "cancelled"],
        initial: ["confirmed", "pending"],
        terminal: ["completed", "cancelled"]
      })
      assert.deepStrictEqual(
        trip?.["transitions"],
        tripMachine.states.flatMap((from) =>
          tripMachine.next(from).map((to) => ({ from, to, movers: tripMachine.transitions[from][to] }))
        )
      )
      assert.deepInclude(trip?.["transitions"] as ReadonlyArray<object>, {
        from: "confirmed",
        to: "completed",
        movers: ["operator"]
      })
    })
  )
})

/** Every transition table there is, as it is told to the outside: `GET /meta/state-machines` and the documentation. */
import { Schema } from "effect"
import { Mover, type StateMachine } from "../kernel/StateMachine.ts"
import { assignmentMachine } from "../trips/Assignment.ts"
import { initialTripStatus, tripMachine } from "../trips/TripStatus.ts"
import { businessMachine } from "../business/Business.ts"
import { deliveryMachine } from "../webhooks/Delivery.ts"
import { endpointMachine } from "../webhooks/Endpoint.ts"

/** A move that a table holds, and who may make it. */
export const TransitionRecord = Schema.Struct({
  from: Schema.String,
  to: Schema.String,
  movers: Schema.Array(Mover)
})
export type TransitionRecord = typeof TransitionRecord.Type

/** A state machine: what it is the life of, its states, the ones a record can begin in, and those it ends in. */
export const StateMachineRecord = Schema.Struct({
  name: Schema.String,
  states: Schema.Array(Schema.String),
  initial: Schema.Array(Schema.String),
  terminal: Schema.Array(Schema.String),
  transitions: Schema.Array(TransitionRecord)
})
export type StateMachineRecord = typeof StateMachineRecord.Type

const told = <State extends string>(
  name: string,
  machine: StateMachine<State>,
  initial: ReadonlyArray<State>
): StateMachineRecord => ({
  name,
  states: machine.states,
  initial,
  terminal: machine.states.filter(machine.isTerminal),
  transitions: machine.states.flatMap((from) =>
    machine.next(from).map((to) => ({ from, to, movers: machine.transitions[from][to] ?? [] }))
  )
})

/** The machines that records of the API obey, each from the very table that the use cases ask. */
export const stateMachines: ReadonlyArray<StateMachineRecord> = [
  told("trip", tripMachine, [initialTripStatus(false), initialTripStatus(true)]),
  told("assignment", assignmentMachine, ["assigned"]),
  told("endpoint", endpointMachine, ["enabled"]),
  told("delivery", deliveryMachine, ["pending"]),
  told("business", businessMachine, ["A"])
]

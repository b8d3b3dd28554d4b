/** All state machines as records, for the API and the documentation. */
import { Schema } from "effect"
import { Mover, type StateMachine } from "../kernel/StateMachine.ts"
import { assignmentMachine } from "../trips/trip/Assignment.ts"
import { initialTripStatus, tripMachine } from "../trips/trip/TripStatus.ts"
import { invoiceMachine } from "../billing/invoice/InvoiceStatus.ts"
import { bookingMachine } from "../sales/bookings/Booking.ts"
import { quoteMachine } from "../sales/quotes/QuoteStatus.ts"
import { businessMachine } from "../business/Business.ts"
import { deliveryMachine } from "../webhooks/Delivery.ts"
import { endpointMachine } from "../webhooks/Endpoint.ts"

/** A move of a state machine, and the movers that may cause it. */
export const TransitionRecord = Schema.Struct({
  from: Schema.String,
  to: Schema.String,
  movers: Schema.Array(Mover)
})
export type TransitionRecord = typeof TransitionRecord.Type

/** A state machine: its states, the initial and the terminal ones, and its moves. */
export const StateMachineRecord = Schema.Struct({
  name: Schema.String,
  states: Schema.Array(Schema.String),
  initial: Schema.Array(Schema.String),
  terminal: Schema.Array(Schema.String),
  transitions: Schema.Array(TransitionRecord)
})
export type StateMachineRecord = typeof StateMachineRecord.Type

const recordOf = <State extends string>(
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

/** The state machines of the API's records, from the tables that the use cases use. */
export const stateMachines: ReadonlyArray<StateMachineRecord> = [
  recordOf("trip", tripMachine, [initialTripStatus(false), initialTripStatus(true)]),
  recordOf("assignment", assignmentMachine, ["assigned"]),
  recordOf("invoice", invoiceMachine, ["draft", "unpaid"]),
  recordOf("quote", quoteMachine, ["draft"]),
  recordOf("booking", bookingMachine, ["pending"]),
  recordOf("endpoint", endpointMachine, ["enabled"]),
  recordOf("delivery", deliveryMachine, ["pending"]),
  recordOf("business", businessMachine, ["A"])
]

/**
 * State machines as data: a table of the states that each state may move to, and by whom. Total functions over that
 * table return the legal moves, the terminal states, and the message of a refused move.
 */
import { Effect, Schema } from "effect"

/** A move that the table does not contain. The message names the legal next states. */
export class IllegalTransition extends Schema.TaggedError<IllegalTransition>()("IllegalTransition", {
  machine: Schema.String,
  from: Schema.String,
  to: Schema.String,
  /** The states that the caller may move it to. */
  legal: Schema.Array(Schema.String),
  /** Whether `from` is final: no move leads out of it. */
  final: Schema.Boolean,
  /** Advice that ends the message: an action that is possible instead of the move. */
  advice: Schema.optionalKey(Schema.String),
  /** The message, where the states do not explain the refusal. */
  reason: Schema.optionalKey(Schema.String)
}) {
  override get message() {
    if (this.reason !== undefined) return this.reason
    const article = /^[aeiou]/u.test(this.machine) ? "An" : "A"
    const refused = `${article} ${this.machine} that is ${this.from} cannot become ${this.to}`
    if (this.advice !== undefined) return `${refused}. ${this.advice}`
    if (this.final) return `${refused}: it is final`
    if (this.legal.length === 0) return `${refused}: this caller may not move it`
    return `${refused}; it may become ${this.legal.join(", ")}`
  }
}

/** The kinds of callers that may cause a move. */
export const Mover = Schema.Literals(["operator", "customer", "driver", "payment", "administrator", "system"])
export type Mover = typeof Mover.Type

/** For each state, the states that it may move to and the movers that may cause the move. */
export type Transitions<State extends string> = {
  readonly [From in State]: { readonly [To in State]?: ReadonlyArray<Mover> }
}

/** A table of transitions and the functions over it. */
export interface StateMachine<State extends string> {
  /** The machine's name in messages, for example `trip`. */
  readonly name: string
  readonly states: ReadonlyArray<State>
  /** The table itself, to publish and to draw. */
  readonly transitions: Transitions<State>
  /** The states that `from` may move to, by any mover or by the given one. */
  readonly next: (from: State, mover?: Mover) => ReadonlyArray<State>
  /** Whether the table contains the move. */
  readonly can: (from: State, to: State, mover?: Mover) => boolean
  /** Whether a record in this state has ended: the only moves out of it, if any, reopen the record. */
  readonly isTerminal: (state: State) => boolean
  /** `to` if the table contains the move; else `IllegalTransition`. */
  readonly move: (from: State, to: State, mover?: Mover) => Effect.Effect<State, IllegalTransition>
}

/** Makes a state machine of its table. `reopenable` are the states whose moves only reopen a record that has ended. */
export const make = <State extends string>(
  name: string,
  states: ReadonlyArray<State>,
  transitions: Transitions<State>,
  reopenable: ReadonlyArray<State> = []
): StateMachine<State> => {
  const next = (from: State, mover?: Mover) =>
    states.filter((to) => {
      const movers = transitions[from][to]
      return movers !== undefined && (mover === undefined || movers.includes(mover))
    })
  const isTerminal = (state: State) => next(state).length === 0 || reopenable.includes(state)
  const can = (from: State, to: State, mover?: Mover) => next(from, mover).includes(to)
  return {
    name,
    states,
    transitions,
    next,
    can,
    isTerminal,
    move: (from, to, mover) =>
      can(from, to, mover)
        ? Effect.succeed(to)
        : Effect.fail(
            new IllegalTransition({
              machine: name,
              from,
              to,
              legal: next(from, mover),
              final: next(from).length === 0
            })
          )
  }
}

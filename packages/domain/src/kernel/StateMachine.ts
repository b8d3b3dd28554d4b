/**
 * A state machine as data: for each state, the states it may move to and who may move it.
 * All else (what is legal, what is terminal, what to tell a caller who asked for something else) are total
 * functions over that table.
 */
import { Effect, Schema } from "effect"

/** A move that the table does not hold. The message names the legal next states. */
export class IllegalTransition extends Schema.TaggedError<IllegalTransition>()("IllegalTransition", {
  machine: Schema.String,
  from: Schema.String,
  to: Schema.String,
  /** The states that the one who asked may move it to. */
  legal: Schema.Array(Schema.String),
  /** Whether nobody may move it any more. */
  final: Schema.Boolean
}) {
  override get message() {
    const none = this.final ? "nothing: it is final" : "nothing that you may decide"
    const next = this.legal.length === 0 ? none : this.legal.join(", ")
    return `A ${this.machine} that is ${this.from} cannot become ${this.to}; from here it may become ${next}`
  }
}

/** Who or what may cause a move. */
export const Mover = Schema.Literals(["operator", "customer", "driver", "payment", "administrator", "system"])
export type Mover = typeof Mover.Type

/** From each state to each state it may reach, by whom. */
export type Transitions<State extends string> = {
  readonly [From in State]: { readonly [To in State]?: ReadonlyArray<Mover> }
}

export interface StateMachine<State extends string> {
  /** The machine's name in messages, for example `trip`. */
  readonly name: string
  readonly states: ReadonlyArray<State>
  /** The table itself, to publish or to draw. */
  readonly transitions: Transitions<State>
  /** The states that `from` may move to; for `mover` alone where one is given. */
  readonly next: (from: State, mover?: Mover) => ReadonlyArray<State>
  /** Whether the table holds the move. */
  readonly can: (from: State, to: State, mover?: Mover) => boolean
  /** Whether nothing leads out of the state. */
  readonly isTerminal: (state: State) => boolean
  /** `to`, if the table holds the move; else `IllegalTransition`. */
  readonly move: (from: State, to: State, mover?: Mover) => Effect.Effect<State, IllegalTransition>
}

/** Builds the functions of a machine over its table. */
export const make = <State extends string>(
  name: string,
  states: ReadonlyArray<State>,
  transitions: Transitions<State>
): StateMachine<State> => {
  const next = (from: State, mover?: Mover) =>
    states.filter((to) => {
      const movers = transitions[from][to]
      return movers !== undefined && (mover === undefined || movers.includes(mover))
    })
  const isTerminal = (state: State) => next(state).length === 0
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
              final: isTerminal(from)
            })
          )
  }
}

import type { StateMachine } from "@livery/domain"

/**
 * The states of a machine as SQL literals, by name: `{ pending: "'pending'", … }`. Statements take a single state from
 * here, so that a renamed state does not compile. They are literals instead of parameters, because the planner chooses a
 * partial index only for a literal.
 */
export const stateLiterals = <State extends string>(
  machine: StateMachine.StateMachine<State>
): Readonly<Record<State, string>> =>
  Object.fromEntries(machine.states.map((state) => [state, `'${state}'`])) as Record<State, string>

/**
 * An SQL condition for the states of a machine for which `predicate` holds, to be written after a column: `IN
 * ('assigned', 'en_route')`, `= 'en_route'` or `<> 'cancelled'`.
 */
export const inStates = <State extends string>(
  machine: StateMachine.StateMachine<State>,
  predicate: (state: State) => boolean
): string => {
  const quoted = (states: ReadonlyArray<State>) => states.map((state) => `'${state}'`).join(", ")
  const inside = machine.states.filter(predicate)
  const outside = machine.states.filter((state) => !predicate(state))
  if (inside.length === 1) return `= ${quoted(inside)}`
  if (outside.length === 1) return `<> ${quoted(outside)}`
  return `IN (${quoted(inside)})`
}

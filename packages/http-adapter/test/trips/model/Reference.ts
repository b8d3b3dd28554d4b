/** The outcome of each command in the model. */
import type { Command, Outcome } from "./Command.ts"
import { buy, changeCar, changeDriver, dismiss, hire, sell } from "./FleetRules.ts"
import { assign, report } from "./AssignmentRules.ts"
import { book, change, duplicate, remove, request, setStatus } from "./TripRules.ts"
import { done } from "./Command.ts"
import type { Model } from "./Model.ts"

/** The outcome of a command in a model. */
export const outcomeOf = (model: Model, command: Command): Outcome<Model> => {
  switch (command.act) {
    case "hire":
      return hire(model, command)
    case "change driver":
      return changeDriver(model, command)
    case "dismiss":
      return dismiss(model, command)
    case "buy":
      return buy(model, command)
    case "change car":
      return changeCar(model, command)
    case "sell":
      return sell(model, command)
    case "book":
      return book(model, command)
    case "request":
      return request(model, command)
    case "duplicate":
      return duplicate(model, command)
    case "change":
      return change(model, command)
    case "set status":
      return setStatus(model, command)
    case "delete":
      return remove(model, command)
    case "assign":
      return assign(model, command)
    case "report":
      return report(model, command)
    case "set policy":
      return { model: { ...model, policy: command.policy }, answer: done(), events: [] }
  }
}

/** All permutations of a list. */
export const orders = <A>(things: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  things.length < 2
    ? [things]
    : things.flatMap((first, index) => orders(things.toSpliced(index, 1)).map((rest) => [first, ...rest]))

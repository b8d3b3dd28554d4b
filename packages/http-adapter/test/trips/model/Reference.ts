/** The reference: what each command has to come to. */
import type { Command, Outcome } from "./Command.ts"
import { buy, changeCar, changeDriver, dismiss, hire, sell } from "./FleetRules.ts"
import { assign, report } from "./AssignmentRules.ts"
import { book, change, duplicate, remove, request, setStatus } from "./TripRules.ts"
import { done } from "./Command.ts"
import type { World } from "./World.ts"

/** What a command comes to in a world. */
export const outcomeOf = (world: World, command: Command): Outcome<World> => {
  switch (command.act) {
    case "hire":
      return hire(world, command)
    case "change driver":
      return changeDriver(world, command)
    case "dismiss":
      return dismiss(world, command)
    case "buy":
      return buy(world, command)
    case "change car":
      return changeCar(world, command)
    case "sell":
      return sell(world, command)
    case "book":
      return book(world, command)
    case "request":
      return request(world, command)
    case "duplicate":
      return duplicate(world, command)
    case "change":
      return change(world, command)
    case "set status":
      return setStatus(world, command)
    case "delete":
      return remove(world, command)
    case "assign":
      return assign(world, command)
    case "report":
      return report(world, command)
    case "set policy":
      return { world: { ...world, policy: command.policy }, answer: done(), events: [] }
  }
}

/** Every order of so many things. */
export const orders = <A>(things: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  things.length < 2
    ? [things]
    : things.flatMap((first, index) => orders(things.toSpliced(index, 1)).map((rest) => [first, ...rest]))

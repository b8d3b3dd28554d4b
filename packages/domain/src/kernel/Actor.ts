/**
 * Who does what is being done, as histories tell it. Whoever drives the domain says so once, around the use case:
 * `Effect.provideService(CurrentActor, "user:5")`.
 */
import { Context } from "effect"

/** `api_key:lvk_ab12…yz89`, `user:5`, `driver:3`, `customer`, `cli:…` or `system`. */
export const CurrentActor = Context.Reference<string>("@livery/domain/CurrentActor", {
  defaultValue: () => "system"
})

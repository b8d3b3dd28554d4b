/**
 * The author of a change, for timelines and the audit log. An adapter provides it around the use case that it calls:
 * `Effect.provideService(CurrentActor, "user:5")`.
 */
import { Context } from "effect"

/** The author of a change that a customer makes, by a link or on a booking page. */
export const customerActor = "customer"

/**
 * One of `api_key:lvk_ab12…yz89`, `user:5`, `driver:3`, `customer`, `cli:anna` and, by default, `system`. In timelines that
 * moved from another installation, authors of that installation have the prefix `imported:`, as in `imported:user:5`.
 */
export const CurrentActor = Context.Reference<string>("@livery/domain/CurrentActor", {
  defaultValue: () => "system"
})

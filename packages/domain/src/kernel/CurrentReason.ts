/**
 * The reason that the author of a change gave, for the audit log. An adapter provides it around the use case that it
 * calls: `Effect.provideService(CurrentReason, "Unpaid")`.
 */
import { Context } from "effect"

/** The reason for the change; none by default. */
export const CurrentReason = Context.Reference<string | null>("@livery/domain/CurrentReason", {
  defaultValue: () => null
})

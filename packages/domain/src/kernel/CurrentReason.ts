/**
 * The reason that the author of a change gave, for the audit log. An adapter provides it around the use case that it
 * calls: `Effect.provideService(CurrentReason, "Unpaid")`.
 */
import { Context } from "effect"
import { textOrBlank } from "./fields/Text.ts"

/** The most characters of a reason. */
export const maxReasonLength = 500

/** A reason of up to 500 characters; a blank one decodes to `null`. */
export const ChangeReason = textOrBlank(maxReasonLength)

/** The reason for the change; none by default. */
export const CurrentReason = Context.Reference<string | null>("@livery/domain/CurrentReason", {
  defaultValue: () => null
})

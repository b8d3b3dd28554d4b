/** The reason for a change, as its author writes it. */
import { textOrBlank } from "./fields/Text.ts"

/** The most characters of a reason. */
export const maxReasonLength = 500

/** A reason of up to 500 characters; a blank one decodes to `null`. */
export const ChangeReason = textOrBlank(maxReasonLength)

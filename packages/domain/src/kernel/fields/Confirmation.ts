/** Confirmation of destructive actions (docs/api/conventions.md). */
import { Schema } from "effect"
import { yesOrNo } from "./Optional.ts"

/** The body of an action that may ask for confirmation: the `force: true` flag confirms it. */
export const ConfirmationInput = Schema.Struct({ force: yesOrNo(false) })
export type ConfirmationInput = typeof ConfirmationInput.Type

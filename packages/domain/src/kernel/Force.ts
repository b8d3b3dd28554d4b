/** Force (decisions, Conventions): whoever was told what is at stake says that it may go. */
import { Schema } from "effect"
import { yesOrNo } from "./Text.ts"

/** The body of an action that may ask for confirmation: `force: true` confirms. */
export const ForceInput = Schema.Struct({ force: yesOrNo(false) })
export type ForceInput = typeof ForceInput.Type

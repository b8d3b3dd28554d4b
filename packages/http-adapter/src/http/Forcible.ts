/**
 * Force, as the contract says it: a DELETE that may ask for confirmation takes `{ force: true }`, any other body, or
 * none at all.
 */
import { Context, Schema } from "effect"
import { OpenApi } from "effect/http-api"
import { ForceInput } from "@livery/domain"

/** The payload of a route that may be forced. */
export const forcePayload = [ForceInput, Schema.Null] as const

/** Says of a route that its body may be left out. */
export const forcible = Context.make(OpenApi.Transform, (operation) => ({
  ...operation,
  requestBody: { ...Object(operation["requestBody"]), required: false }
}))

/** Whether it is forced. */
export const isForced = (payload: ForceInput | null): boolean => payload?.force ?? false

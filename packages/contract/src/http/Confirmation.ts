/**
 * Confirmation in the contract: the body of an action that may require confirmation is `{ force: true }`, any other
 * object, or absent.
 */
import { Context, Schema } from "effect"
import { OpenApi } from "effect/http-api"
import { ConfirmationInput } from "@livery/domain/records"

/** The payload of a route that may ask for confirmation. */
export const confirmationPayload = [ConfirmationInput, Schema.Null] as const

/** Documents that a route's body may be left out. */
export const optionalBody = Context.make(OpenApi.Transform, (operation) => ({
  ...operation,
  requestBody: { ...Object(operation["requestBody"]), required: false }
}))

/** Whether the request confirms the action. */
export const isConfirmed = (payload: ConfirmationInput | null): boolean => payload?.force ?? false

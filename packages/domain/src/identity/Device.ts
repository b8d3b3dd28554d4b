/** The devices that a user is reached on by push (specification, Device). They are the user's, not a business's. */
import { Schema } from "effect"
import { oneOf } from "../kernel/fields/OneOf.ts"
import { check } from "../kernel/fields/FieldIssue.ts"
import { optionalText, text } from "../kernel/fields/Text.ts"

/** How many devices a user has at most; beyond that, the one that was registered longest ago is forgotten. */
export const deviceLimit = 100

/** Where an app runs. */
export const DevicePlatform = Schema.Literals(["ios", "android", "web"])
export type DevicePlatform = typeof DevicePlatform.Type

/** What a push service calls a device: printable ASCII without spaces, at most 2,000 characters. */
const DeviceToken = text(2000).check(check<string>("invalid", (token) => /^[\u0021-\u007e]+$/u.test(token)))

/** What `POST /me/devices` takes. */
export const DeviceInput = Schema.Struct({
  platform: oneOf(DevicePlatform),
  device_token: DeviceToken,
  device_name: optionalText(200)
})
export type DeviceInput = typeof DeviceInput.Type

/** What `DELETE /me/devices` takes. */
export const DeviceRemoval = Schema.Struct({ device_token: DeviceToken })
export type DeviceRemoval = typeof DeviceRemoval.Type

/** A device in an answer. */
export const DeviceRecord = Schema.Struct({
  platform: DevicePlatform,
  device_token: Schema.String,
  device_name: Schema.NullOr(Schema.String)
})
export type DeviceRecord = typeof DeviceRecord.Type

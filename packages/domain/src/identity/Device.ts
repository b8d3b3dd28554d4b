/** The devices of a user that receive push messages. They belong to the user, not to a business. */
import { Schema } from "effect"
import { oneOf } from "../kernel/fields/OneOf.ts"
import { check } from "../kernel/fields/FieldIssue.ts"
import { optionalText, text } from "../kernel/fields/Text.ts"

/** The most devices of a user. One more replaces the device that was registered longest ago. */
export const deviceLimit = 100

/** The platform of a device. */
export const DevicePlatform = Schema.Literals(["ios", "android", "web"])
export type DevicePlatform = typeof DevicePlatform.Type

/** A push service's name for a device: printable ASCII without spaces, at most 2,000 characters. */
const DeviceToken = text(2000).check(check<string>("invalid", (token) => /^[\u0021-\u007e]+$/u.test(token)))

/** The input of a registration. */
export const DeviceInput = Schema.Struct({
  platform: oneOf(DevicePlatform),
  device_token: DeviceToken,
  device_name: optionalText(200)
})
export type DeviceInput = typeof DeviceInput.Type

/** The input of a removal. */
export const DeviceRemoval = Schema.Struct({ device_token: DeviceToken })
export type DeviceRemoval = typeof DeviceRemoval.Type

/** A device in a response. */
export const DeviceRecord = Schema.Struct({
  platform: DevicePlatform,
  device_token: Schema.String,
  device_name: Schema.NullOr(Schema.String)
})
export type DeviceRecord = typeof DeviceRecord.Type

/** The devices of a user that receive push messages. They belong to the user, not to a business. */
import { Schema } from "effect"
import * as Field from "../../kernel/fields/Field.ts"
import { check } from "../../kernel/fields/FieldIssue.ts"
import { atMost, trimming } from "../../kernel/fields/Text.ts"
import * as Value from "../../kernel/fields/Value.ts"

/** The most devices of a user. One more replaces the device that was registered longest ago. */
export const maxDevicesPerUser = 100

/** The platform of a device. */
export const DevicePlatform = Schema.Literals(["ios", "android", "web"])
export type DevicePlatform = typeof DevicePlatform.Type

const tokenPattern = "^[!-~]+$"
const isToken = new RegExp(tokenPattern, "u")

/** The most characters of a token. */
const maxLength = 2000

/** A push service's name for a device: printable ASCII without spaces, at most {@link maxLength} characters. */
const DeviceToken = Schema.String.check(
  check<string>("required", (token) => token.trim() !== "", { minLength: 1 }),
  atMost(maxLength),
  check<string>("invalid", (token) => isToken.test(token.trim()), { pattern: tokenPattern })
).pipe(Schema.decodeTo(Schema.String, trimming))

/** The fields of a device. */
export const deviceFields = {
  platform: Field.required(Value.oneOf(DevicePlatform)),
  device_token: Field.says(
    { person: "user" },
    Field.required(Value.checkedText(DeviceToken, { maxLength, pattern: tokenPattern }))
  ),
  device_name: Field.says({ person: "user" }, Field.optional(Value.text(200)))
}

/** The input of a registration. */
export const DeviceInput = Field.inputOf(deviceFields)
export type DeviceInput = typeof DeviceInput.Type

/** The input of a removal. */
export const DeviceRemoval = Schema.Struct({ device_token: DeviceToken })
export type DeviceRemoval = typeof DeviceRemoval.Type

/** A device as stored. */
export const Device = Field.storedOf(deviceFields)

/** A device in a response. */
export const DeviceRecord = Field.recordOf(deviceFields)
export type DeviceRecord = typeof DeviceRecord.Type

/** The devices that a user is reached on by push (specification, Device). They are the user's, not a business's. */
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { choice } from "../kernel/Choice.ts"
import type { DeletionResult } from "./ApiKey.ts"
import { check } from "../kernel/FieldIssue.ts"
import type { UserId } from "../kernel/Ids.ts"
import { optionalText, text } from "../kernel/Text.ts"

/** How many devices a user has at most; beyond that, the one that was registered longest ago is forgotten. */
export const deviceLimit = 100

/** Where an app runs. */
export const DevicePlatform = Schema.Literals(["ios", "android", "web"])
export type DevicePlatform = typeof DevicePlatform.Type

/** What a push service calls a device: printable ASCII without spaces, at most 2,000 characters. */
const DeviceToken = text(2000).check(check<string>("invalid", (token) => /^[\u0021-\u007e]+$/u.test(token)))

/** What `POST /me/devices` takes. */
export const DeviceInput = Schema.Struct({
  platform: choice(DevicePlatform),
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

/**
 * The port that stores devices, at most one for each token.
 *
 * - `put`: registers a device for the user; whoever had that token before has it no more. Keeps
 *   {@link deviceLimit} of the user's.
 * - `list`: the user's devices, the one registered last first.
 * - `remove`: forgets the user's device of that token; whether there was one.
 */
export class DeviceRepository extends Context.Service<
  DeviceRepository,
  {
    readonly put: (userId: UserId, device: DeviceInput, now: DateTime.Utc) => Effect.Effect<void>
    readonly list: (userId: UserId) => Effect.Effect<ReadonlyArray<DeviceRecord>>
    readonly remove: (userId: UserId, deviceToken: string) => Effect.Effect<boolean>
  }
>()("@livery/domain/DeviceRepository") {}

/**
 * - `register`: registers a device, or changes it; again is a no-op. A phone that changes hands belongs to who
 *   signed in on it last.
 * - `list`: the user's devices.
 * - `unregister`: forgets a device of the user; `deleted` is false if the user has none of that token.
 */
export class Devices extends Context.Service<
  Devices,
  {
    readonly register: (userId: UserId, device: DeviceInput) => Effect.Effect<DeviceRecord>
    readonly list: (userId: UserId) => Effect.Effect<ReadonlyArray<DeviceRecord>>
    readonly unregister: (userId: UserId, deviceToken: string) => Effect.Effect<DeletionResult>
  }
>()("@livery/domain/Devices") {
  static readonly layer = Layer.effect(
    Devices,
    Effect.gen(function* () {
      const devices = yield* DeviceRepository
      return Devices.of({
        register: Effect.fn("Devices.register")(function* (userId: UserId, device: DeviceInput) {
          yield* devices.put(userId, device, yield* DateTime.now)
          return device
        }),
        list: Effect.fn("Devices.list")(devices.list),
        unregister: Effect.fn("Devices.unregister")(function* (userId: UserId, deviceToken: string) {
          return { deleted: yield* devices.remove(userId, deviceToken) }
        })
      })
    })
  )
}

/** Registering and removing the devices of a user. */
import { Context, DateTime, Effect, Layer } from "effect"
import type { DeletionResult } from "./ApiKey.ts"
import type { UserId } from "../kernel/Ids.ts"
import { DeviceRepository } from "./DeviceRepository.ts"
import type { DeviceInput, DeviceRecord } from "./Device.ts"
import { traced } from "../kernel/TracedFunction.ts"

/**
 * - `register`: stores or updates a device. A phone that changes hands belongs to the user who registered it last.
 * - `list`: the user's devices.
 * - `unregister`: deletes a device of the user; `deleted` is false if the user has no device with that token.
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
        register: traced("Devices.register")(function* (userId: UserId, device: DeviceInput) {
          yield* devices.put(userId, device, yield* DateTime.now)
          return device
        }),
        list: traced("Devices.list")(devices.list),
        unregister: traced("Devices.unregister")(function* (userId: UserId, deviceToken: string) {
          return { deleted: yield* devices.remove(userId, deviceToken) }
        })
      })
    })
  )
}

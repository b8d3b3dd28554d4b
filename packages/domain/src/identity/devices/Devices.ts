/** Registering and removing the devices of a user. */
import { Context, DateTime, Effect, Layer } from "effect"
import type { UserId } from "../../kernel/Ids.ts"
import { DeviceRepository } from "./DeviceRepository.ts"
import type { DeviceInput } from "./Device.ts"
import { traced } from "../../kernel/TracedFunction.ts"

export class Devices extends Context.Service<Devices>()("@livery/domain/Devices", {
  make: Effect.gen(function* () {
    const devices = yield* DeviceRepository

    return {
      /** Stores or updates a device. A phone that changes hands belongs to the user who registered it last. */
      register: traced("Devices.register")(function* (userId: UserId, device: DeviceInput) {
        yield* devices.put(userId, device, yield* DateTime.now)
        return device
      }),

      /** The user's devices. */
      list: traced("Devices.list")(devices.list),

      /** Deletes a device of the user; `deleted` is false if the user has no device with that token. */
      unregister: traced("Devices.unregister")(function* (userId: UserId, deviceToken: string) {
        return { deleted: yield* devices.remove(userId, deviceToken) }
      })
    }
  })
}) {
  static readonly layer = Layer.effect(Devices, Devices.make)
}

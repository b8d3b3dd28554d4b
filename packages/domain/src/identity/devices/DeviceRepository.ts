/** The port that stores devices: at most one for each token. */
import type { DateTime, Effect } from "effect"
import { Context } from "effect"
import type { UserId } from "../../kernel/Ids.ts"
import type { DeviceInput, DeviceRecord } from "./Device.ts"

/**
 * - `put`: stores a device of the user, and removes the token from any other user. It keeps the `maxDevicesPerUser`
 *   devices of the user that were registered last.
 * - `list`: the user's devices, the one registered last first.
 * - `remove`: deletes the user's device with that token; false if there is none.
 */
export class DeviceRepository extends Context.Service<
  DeviceRepository,
  {
    readonly put: (userId: UserId, device: DeviceInput, now: DateTime.Utc) => Effect.Effect<void>
    readonly list: (userId: UserId) => Effect.Effect<ReadonlyArray<DeviceRecord>>
    readonly remove: (userId: UserId, deviceToken: string) => Effect.Effect<boolean>
  }
>()("@livery/domain/DeviceRepository") {}

import type { DateTime, Effect } from "effect"
import { Context } from "effect"
import type { UserId } from "../kernel/Ids.ts"
import type { DeviceInput, DeviceRecord } from "./Device.ts"

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

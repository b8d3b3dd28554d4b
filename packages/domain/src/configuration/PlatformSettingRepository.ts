/** The port that stores the changed settings of the platform. */
import { Context, type DateTime, type Effect } from "effect"
import type { SettingKey, SettingValue, StoredSetting } from "./PlatformSetting.ts"

/**
 * - `all`: the settings that were changed.
 * - `lock`: the value of a setting, locked against other changes until the open transaction ends. A setting that was never
 *   changed is stored with `defaultValue` first.
 * - `set`: stores another value of a locked setting.
 */
export class PlatformSettingRepository extends Context.Service<
  PlatformSettingRepository,
  {
    readonly all: Effect.Effect<ReadonlyArray<StoredSetting>>
    readonly lock: (
      key: SettingKey,
      defaultValue: SettingValue,
      now: DateTime.Utc
    ) => Effect.Effect<StoredSetting>
    readonly set: (key: SettingKey, value: SettingValue, now: DateTime.Utc) => Effect.Effect<StoredSetting>
  }
>()("@livery/domain/PlatformSettingRepository") {}

/** The values of the platform's settings that are in effect on this node. */
import { Context, Effect, Layer, Schedule } from "effect"
import {
  isSettingKey,
  settingKeys,
  type SettingValues,
  type StoredSetting,
  valueOf
} from "./PlatformSetting.ts"
import { FixedSettings } from "./FixedSettings.ts"
import { PlatformSettingRepository } from "./PlatformSettingRepository.ts"
import { SettingsInterval } from "./SettingsInterval.ts"

export class PlatformSettings extends Context.Service<PlatformSettings>()("@livery/domain/PlatformSettings", {
  /** Reads the settings once. Afterwards only `refresh` reads them again. */
  make: Effect.gen(function* () {
    const repository = yield* PlatformSettingRepository
    const fixed = yield* FixedSettings

    const valuesOf = (stored: ReadonlyArray<StoredSetting>): SettingValues => {
      const byKey = new Map(
        stored.filter(({ setting_key }) => isSettingKey(setting_key)).map((row) => [row.setting_key, row])
      )
      return Object.fromEntries(
        settingKeys.map((key) => [key, fixed[key]?.value ?? valueOf(key, byKey.get(key))])
      ) as SettingValues
    }

    // Nothing is sent before the stored value is known.
    let values: SettingValues = { ...valuesOf([]), outgoing_paused: true }
    let readsBegun = 0
    let newestRead = 0
    const refresh = Effect.suspend(() => {
      const read = ++readsBegun
      return Effect.map(repository.all, (stored) => {
        // A read that began before a change may end after the read that followed the change.
        if (read < newestRead) return
        newestRead = read
        values = valuesOf(stored)
      })
    }).pipe(
      Effect.catchCause((cause) => Effect.logDebug("The platform's settings cannot be read", cause)),
      Effect.withTracerEnabled(false)
    )
    yield* refresh
    return {
      /** The values in effect, without waiting. */
      current: () => values,

      /** Reads the stored values now. If they cannot be read, the values stay as they are. */
      refresh
    }
  })
}) {
  /** Reads the settings, and reads them again every {@link SettingsInterval}. */
  static readonly layer = Layer.effect(
    PlatformSettings,
    Effect.gen(function* () {
      const interval = yield* SettingsInterval
      const settings = yield* PlatformSettings.make
      yield* settings.refresh.pipe(Effect.delay(interval), Effect.repeat(Schedule.forever), Effect.forkScoped)
      return settings
    })
  )
}

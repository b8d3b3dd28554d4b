/** The settings whose values an installation fixes, for example by its environment. */
import { Context } from "effect"
import type { SettingKey, SettingValue } from "./PlatformSetting.ts"

/** A value that an installation fixes, with the name of the variable that does so. */
export interface FixedSetting {
  readonly value: SettingValue
  readonly by: string
}

/** The settings that this installation fixes. Stored values of these settings have no effect. */
export const FixedSettings = Context.Reference<{ readonly [K in SettingKey]?: FixedSetting | undefined }>(
  "@livery/domain/FixedSettings",
  { defaultValue: () => ({}) }
)

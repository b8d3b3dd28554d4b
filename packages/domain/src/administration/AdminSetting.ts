/** The settings of the platform as super-admins read and change them. */
import { Schema } from "effect"
import type { FixedSetting } from "../configuration/FixedSettings.ts"
import {
  platformSettings,
  type SettingKey,
  SettingType,
  SettingValue,
  type StoredSetting
} from "../configuration/PlatformSetting.ts"
import { valueOf } from "../configuration/PlatformSetting.ts"
import { rfc3339OrNull } from "../kernel/time/WallClock.ts"

/** A setting in a response. `fixed_by` is the environment variable that fixes its value, if one does. */
export const SettingRecord = Schema.Struct({
  key: Schema.String,
  category: Schema.String,
  type: SettingType,
  value: SettingValue.annotate({ description: "The stored value, or the default" }),
  default_value: SettingValue,
  minimum: Schema.NullOr(Schema.Int),
  maximum: Schema.NullOr(Schema.Int),
  description: Schema.String,
  fixed_value: Schema.NullOr(SettingValue).annotate({
    description: "The value that is in effect instead, if this installation's environment fixes it"
  }),
  fixed_by: Schema.NullOr(Schema.String).annotate({
    description: "The environment variable that fixes the value"
  }),
  updated_at: Schema.NullOr(Schema.String).annotate({ description: "The last change, if there was one" })
})
export type SettingRecord = typeof SettingRecord.Type

/** All settings, by their categories. */
export const SettingsRecord = Schema.Record(Schema.String, Schema.Array(SettingRecord))
export type SettingsRecord = typeof SettingsRecord.Type

/** The body that changes a setting: any JSON value here; the setting's own type is checked with its key. */
export const SettingInput = Schema.Struct({ value: Schema.Json })
export type SettingInput = typeof SettingInput.Type

/** The record of a setting. */
export const settingRecord = (
  key: SettingKey,
  stored: StoredSetting | undefined,
  fixed: FixedSetting | undefined
): SettingRecord => {
  const definition = platformSettings[key]
  const { category, defaultValue, description, type } = definition
  const bounds = "minimum" in definition ? definition : { minimum: null, maximum: null }
  return {
    key,
    category,
    type,
    value: valueOf(key, stored),
    default_value: defaultValue,
    minimum: bounds.minimum,
    maximum: bounds.maximum,
    description,
    fixed_value: fixed?.value ?? null,
    fixed_by: fixed?.by ?? null,
    updated_at: rfc3339OrNull(stored?.updated_at)
  }
}

/** The public exports of this module. */
export * from "./FixedSettings.ts"
export * from "./OutgoingPause.ts"
export * from "./PlatformSetting.ts"
export * from "./PlatformSettingRepository.ts"
export * from "./PlatformSettings.ts"
export * from "./SettingsInterval.ts"
export * from "./RetentionPeriods.ts"

import { PlatformSettingRepository } from "@livery/domain"
import { inMemory } from "../store/Store.ts"

export const layer = inMemory(PlatformSettingRepository, ({ platformSettings, step }) => ({
  all: step(() => platformSettings.where()),
  lock: (setting_key, defaultValue, updated_at) =>
    step(
      () =>
        platformSettings.get(setting_key) ??
        platformSettings.set(setting_key, { setting_key, value: defaultValue, updated_at })
    ),
  set: (setting_key, value, updated_at) =>
    step(() => platformSettings.set(setting_key, { setting_key, value, updated_at }))
}))

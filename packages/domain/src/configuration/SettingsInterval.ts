import { Context, type Duration } from "effect"

/** How often a node reads the settings: a change takes effect on every node within this time. */
export const SettingsInterval = Context.Reference<Duration.Input>("@livery/domain/SettingsInterval", {
  defaultValue: () => "5 seconds"
})

/** The retention periods of the tables that grow, from the platform's settings. */
import { Duration, Effect, Layer } from "effect"
import { ResponseRetention } from "../kernel/idempotency/ResponseRetention.ts"
import type { SettingValues } from "./PlatformSetting.ts"
import { PlatformSettings } from "./PlatformSettings.ts"

/**
 * The days for which each kind of data is retained. Events are retained somewhat longer than their deliveries, so that a
 * failed delivery can be sent again.
 */
export const retentionDays = (settings: SettingValues) => ({
  events: Math.max(settings.event_retention_days, Math.ceil(settings.delivery_retention_days * 1.25) + 1),
  deliveries: settings.delivery_retention_days,
  positions: settings.position_retention_days,
  audit: settings.audit_retention_days
})

/** How long responses to idempotent requests are kept, by the setting in effect. */
export const responseRetentionLayer = Layer.effect(
  ResponseRetention,
  Effect.map(
    PlatformSettings,
    ({ current }) =>
      () =>
        Duration.days(current().idempotency_retention_days)
  )
)

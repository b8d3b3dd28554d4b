/** The retention periods of the tables that grow, from the platform's settings. */
import type { SettingValues } from "./PlatformSetting.ts"

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

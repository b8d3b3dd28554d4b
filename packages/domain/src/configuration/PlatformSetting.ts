/**
 * The settings of the platform, which super-admins change while the servers run (docs/api/administration.md). One table
 * has each setting's category, type, bounds and default, so that a change can only replace the value.
 */
import { Schema } from "effect"
import { between } from "../kernel/fields/FieldIssue.ts"

const wholeNumber = (minimum: number, maximum: number) => ({
  type: "integer" as const,
  value: Schema.Int.check(between(minimum, maximum)),
  minimum,
  maximum
})

const flag = { type: "boolean" as const, value: Schema.Boolean }

const days = (least: number) => wholeNumber(least, 3650)

const rate = wholeNumber(1, 100_000_000)

/** Each setting by its key. */
export const platformSettings = {
  rate_limit_business: {
    category: "rate_limits",
    ...rate,
    defaultValue: 600,
    description: "Requests a minute of each business, of each user and of each driver"
  },
  rate_limit_auth: {
    category: "rate_limits",
    ...rate,
    defaultValue: 20,
    description: "Requests a minute of an address to the public routes of signing in and registering"
  },
  rate_limit_public: {
    category: "rate_limits",
    ...rate,
    defaultValue: 120,
    description: "Requests a minute of an address to the other public routes"
  },
  registration_open: {
    category: "registration",
    ...flag,
    defaultValue: true,
    description:
      "Whether anyone may create an account. If not, super-admins create them, and members and drivers accept invitations"
  },
  default_plan_id: {
    category: "registration",
    ...wholeNumber(1, 2_147_483_647),
    defaultValue: 1,
    description: "The id of the plan of a new business"
  },
  event_retention_days: {
    category: "retention",
    ...days(7),
    defaultValue: 90,
    description: "Days for which events are retained"
  },
  delivery_retention_days: {
    category: "retention",
    ...days(1),
    defaultValue: 30,
    description:
      "Days for which deliveries of webhooks and their attempts are retained. Pending deliveries are never dropped"
  },
  position_retention_days: {
    category: "retention",
    ...days(1),
    defaultValue: 30,
    description: "Days for which the positions that drivers reported are retained"
  },
  audit_retention_days: {
    category: "retention",
    ...days(90),
    defaultValue: 1095,
    description: "Days for which entries of the audit log are retained"
  },
  idempotency_retention_days: {
    category: "retention",
    ...days(1),
    defaultValue: 1,
    description: "Days for which the response to a request with an Idempotency-Key is repeated"
  },
  mail_retention_days: {
    category: "retention",
    ...days(1),
    defaultValue: 1,
    description: "Days for which an email that no mail server accepts is retained and sent again"
  },
  outgoing_paused: {
    category: "operations",
    ...flag,
    defaultValue: false,
    description:
      "Whether webhooks, mail, reminders and the reconciliation with the payment provider are held, as on a restored copy"
  }
} as const

type Definitions = typeof platformSettings

/** The key of a setting. */
export type SettingKey = keyof Definitions

/** The values of all settings by their keys. */
export type SettingValues = { readonly [K in SettingKey]: Definitions[K]["value"]["Type"] }

/** The keys of all settings, in the order of the table. */
export const settingKeys = Object.keys(platformSettings) as ReadonlyArray<SettingKey>

/** Whether a text is the key of a setting. */
export const isSettingKey = (key: string): key is SettingKey => Object.hasOwn(platformSettings, key)

/** What a value of the setting must be, as a sentence without the full stop. */
export const expectedValueOf = (key: SettingKey): string => {
  const definition = platformSettings[key]
  return definition.type === "boolean"
    ? `${key} is true or false`
    : `${key} is a whole number from ${definition.minimum} to ${definition.maximum}`
}

/** A value of a setting. */
export const SettingValue = Schema.Union([Schema.Boolean, Schema.Int])
export type SettingValue = typeof SettingValue.Type

/** The types of values. */
export const SettingType = Schema.Literals(["boolean", "integer"])

/** A setting that was changed, as stored. */
export const StoredSetting = Schema.Struct({
  setting_key: Schema.String,
  value: Schema.Json,
  updated_at: Schema.DateTimeUtc
})
export type StoredSetting = typeof StoredSetting.Type

/** Whether a value is one that the setting may have. */
const isAllowed = (key: SettingKey, value: unknown): value is SettingValue =>
  Schema.is(platformSettings[key].value)(value)

/** The stored value of a setting, or the default if none is stored or the stored one is no longer allowed. */
export const valueOf = (key: SettingKey, stored: StoredSetting | undefined): SettingValue =>
  stored !== undefined && isAllowed(key, stored.value) ? stored.value : platformSettings[key].defaultValue

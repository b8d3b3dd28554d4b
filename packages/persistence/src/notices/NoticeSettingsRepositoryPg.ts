import {
  type BusinessId,
  defaultNoticeSettings,
  MessageChannel,
  NoticePreferences,
  NoticeSettings,
  NoticeSettingsRepository,
  remindsCustomers,
  SecretBox,
  type StoredGateway,
  tellsCustomers,
  TextGateway,
  wants
} from "@livery/domain"
import { Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { execute, firstOf, instant, rowsAs } from "../sql/rows/Rows.ts"

/** Settings that an earlier version stored lack the kinds that it did not know. */
const storedSettings = Schema.Struct({
  ...NoticeSettings.fields,
  channels: Schema.Record(Schema.String, Schema.Array(MessageChannel))
})
const settingsRows = rowsAs(Schema.Struct({ settings: Schema.NullOr(storedSettings) }))
const gateways = rowsAs(Schema.Struct({ sealed_gateway: Schema.NullOr(Schema.String) }))
const preferenceRows = rowsAs(Schema.toType(NoticePreferences))
const Sealed = Schema.fromJsonString(Schema.Struct({ gateway: TextGateway, callbackToken: Schema.String }))
const sealed = Schema.encodeEffect(Sealed)
const opened = Schema.decodeUnknownEffect(Sealed)

/** The settings in the order of their fields: `jsonb` has another one, with which a record would have another version. */
const inOrder = ({
  channels,
  quiet_minutes,
  reminder_minutes,
  templates
}: typeof storedSettings.Type): NoticeSettings => ({
  channels: { ...defaultNoticeSettings.channels, ...channels },
  quiet_minutes,
  reminder_minutes,
  templates
})

/** Settings in the table `notice_settings`, the gateway encrypted by the `SecretBox`; preferences in `notice_preferences`. */
export const layer = Layer.effect(
  NoticeSettingsRepository,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const box = yield* SecretBox

    const read = (businessId: BusinessId, lock: string) =>
      Effect.map(
        firstOf(
          settingsRows(sql`
            SELECT settings FROM notice_settings WHERE business_id = ${businessId} ${sql.literal(lock)}`)
        ),
        Option.flatMapNullishOr(({ settings }) => settings && inOrder(settings))
      )

    const gateway = Effect.fnUntraced(function* (
      businessId: BusinessId
    ): Effect.fn.Return<Option.Option<StoredGateway>> {
      const row = yield* firstOf(
        gateways(sql`SELECT sealed_gateway FROM notice_settings WHERE business_id = ${businessId}`)
      )
      const text = Option.flatMapNullishOr(row, ({ sealed_gateway }) => sealed_gateway)
      if (Option.isNone(text)) return Option.none()
      return Option.some(yield* Effect.orDie(Effect.flatMap(box.open(text.value), opened)))
    })

    return NoticeSettingsRepository.of({
      find: (businessId) => read(businessId, ""),
      lock: (businessId) => read(businessId, "FOR NO KEY UPDATE"),
      // The row is locked before the preferences are read, as `putPreferences` locks it before it writes one.
      put: Effect.fnUntraced(function* (business_id, settings, now) {
        const { quiet_minutes, reminder_minutes } = settings
        const row = {
          business_id,
          settings: JSON.stringify(settings),
          quiet_minutes,
          reminder_minutes,
          updated_at: instant(now)
        }
        const isWanted = (condition: string) => sql`EXISTS (
          SELECT FROM notice_preferences WHERE business_id = ${business_id} AND ${sql.literal(condition)})`
        yield* execute(sql`
          INSERT INTO notice_settings ${sql.insert(row)}
          ON CONFLICT (business_id) DO UPDATE SET
            settings = excluded.settings, quiet_minutes = excluded.quiet_minutes,
            reminder_minutes = excluded.reminder_minutes, updated_at = excluded.updated_at`)
        yield* execute(sql`
          UPDATE notice_settings SET
            tells_customers = ${tellsCustomers(settings)} OR ${isWanted("kinds <> '{}'")},
            reminds = ${remindsCustomers(settings)} OR ${isWanted("'reminder' = ANY (kinds)")}
          WHERE business_id = ${business_id}`)
      }),
      gateway,
      putGateway: Effect.fnUntraced(function* (business_id, stored, now) {
        const sealed_gateway = stored && (yield* box.seal(yield* Effect.orDie(sealed(stored))))
        yield* execute(sql`
          INSERT INTO notice_settings ${sql.insert({ business_id, sealed_gateway, updated_at: instant(now) })}
          ON CONFLICT (business_id) DO UPDATE SET
            sealed_gateway = excluded.sealed_gateway, updated_at = excluded.updated_at`)
      }),
      preferences: (businessId, customerId) =>
        firstOf(
          preferenceRows(sql`
            SELECT kinds, channels FROM notice_preferences
            WHERE business_id = ${businessId} AND customer_id = ${customerId}`)
        ),
      putPreferences: Effect.fnUntraced(function* (business_id, customer_id, preferences, now) {
        const { channels, kinds } = preferences
        yield* execute(sql`
          INSERT INTO notice_settings (business_id, tells_customers, reminds, updated_at)
          VALUES (${business_id}, ${wants(preferences)}, ${wants(preferences, "reminder")}, ${instant(now)})
          ON CONFLICT (business_id) DO UPDATE SET
            tells_customers = notice_settings.tells_customers OR excluded.tells_customers,
            reminds = notice_settings.reminds OR excluded.reminds`)
        yield* execute(sql`
          INSERT INTO notice_preferences (business_id, customer_id, kinds, channels, updated_at)
          VALUES (${business_id}, ${customer_id}, ${kinds && [...kinds]}::text[], ${channels && [...channels]}::text[],
            ${instant(now)})
          ON CONFLICT (business_id, customer_id) DO UPDATE SET
            kinds = excluded.kinds, channels = excluded.channels, updated_at = excluded.updated_at`)
      })
    })
  })
)

/** How a business wants to be seen and served (specification, `GET, PATCH /settings/business`). */
import { Context, DateTime, Effect, Equal, Layer, type Option, Schema } from "effect"
import { CredentialCache } from "../identity/CredentialCache.ts"
import { CurrentActor } from "../kernel/Actor.ts"
import { choice } from "../kernel/Choice.ts"
import { Currency } from "../kernel/Currency.ts"
import { Conflict, NotFound } from "../kernel/Errors.ts"
import { check } from "../kernel/FieldIssue.ts"
import type { BusinessId } from "../kernel/Ids.ts"
import { type Precondition, unconditional } from "../kernel/Precondition.ts"
import { clearableText, clearableWebAddress, EmailAddress, text, trimming } from "../kernel/Text.ts"
import { Transaction } from "../kernel/Transaction.ts"
import { rfc3339, TimeZone } from "../kernel/WallClock.ts"
import { auditTrail } from "../audit/AuditTrail.ts"
import type { ActingBusiness } from "./Business.ts"
import { ClashPolicy } from "./ClashPolicy.ts"

/** The part of a business's public addresses that names it: lower-case letters, digits and single hyphens. */
export const VendorSlug = Schema.String.check(
  check<string>("required", (slug) => slug.trim() !== "", { minLength: 1 }),
  check<string>("too_long", (slug) => slug.trim().length <= 60, { maxLength: 60 }),
  check<string>("invalid", (slug) => slug.trim() === "" || /^[a-z0-9]+(?:-[a-z0-9]+)*$/u.test(slug.trim()), {
    pattern: "^[a-z0-9]+(?:-[a-z0-9]+)*$"
  })
).pipe(Schema.decodeTo(Schema.String, trimming))

/** What `PATCH /settings/business` takes: at least one of these; null forgets what may be absent. */
export const SettingsChanges = Schema.Struct({
  business_name: Schema.optionalKey(text(200)),
  business_email: Schema.optionalKey(EmailAddress),
  phone: Schema.optionalKey(clearableText(40)),
  address: Schema.optionalKey(clearableText(500)),
  website_url: Schema.optionalKey(clearableWebAddress),
  logo_url: Schema.optionalKey(clearableWebAddress),
  vendor_slug: Schema.optionalKey(VendorSlug),
  timezone: Schema.optionalKey(TimeZone),
  currency: Schema.optionalKey(Currency),
  clash_policy: Schema.optionalKey(choice(ClashPolicy)),
  booking_confirmation_required: Schema.optionalKey(Schema.Boolean)
}).check(check<object>("required", (changes) => Object.keys(changes).length > 0, { minProperties: 1 }))
export type SettingsChanges = typeof SettingsChanges.Type

/** What can be set, as it stands. */
export interface Settings {
  readonly business_name: string
  readonly business_email: string
  readonly phone: string | null
  readonly address: string | null
  readonly website_url: string | null
  readonly logo_url: string | null
  readonly vendor_slug: string
  readonly timezone: string
  readonly currency: Currency
  readonly clash_policy: ClashPolicy
  readonly booking_confirmation_required: boolean
}

/** A business's settings as stored. */
export interface StoredSettings extends Settings {
  readonly business_id: BusinessId
  readonly created_at: DateTime.Utc
  readonly updated_at: DateTime.Utc
}

/** A business's settings in an answer. */
export const SettingsRecord = Schema.Struct({
  business_id: Schema.Int,
  business_name: Schema.String,
  business_email: Schema.String,
  phone: Schema.NullOr(Schema.String),
  address: Schema.NullOr(Schema.String),
  website_url: Schema.NullOr(Schema.String),
  logo_url: Schema.NullOr(Schema.String),
  vendor_slug: Schema.String,
  timezone: Schema.String,
  currency: Schema.String,
  clash_policy: ClashPolicy,
  booking_confirmation_required: Schema.Boolean,
  created_at: Schema.String,
  updated_at: Schema.String
})
export type SettingsRecord = typeof SettingsRecord.Type

/** The record of a business's settings. */
export const settingsRecord = ({ created_at, updated_at, ...settings }: StoredSettings): SettingsRecord => ({
  ...settings,
  created_at: rfc3339(created_at),
  updated_at: rfc3339(updated_at)
})

/** Whose slug it is already is not told. */
export const slugTaken = () => new Conflict({ reason: "Another business has that vendor_slug" })

/**
 * The port that stores a business's settings.
 *
 * - `find`: how they stand; `None` if the business is gone.
 * - `hold`: the same, and nobody else changes them until the transaction ends.
 * - `update`: how they stand from now on; {@link slugTaken} if another business has that slug, also of several at
 *   once.
 */
export class SettingsRepository extends Context.Service<
  SettingsRepository,
  {
    readonly find: (businessId: BusinessId) => Effect.Effect<Option.Option<StoredSettings>>
    readonly hold: (businessId: BusinessId) => Effect.Effect<Option.Option<StoredSettings>>
    readonly update: (
      businessId: BusinessId,
      standing: Settings,
      now: DateTime.Utc
    ) => Effect.Effect<StoredSettings, Conflict>
  }
>()("@livery/domain/SettingsRepository") {}

const fields = Object.keys(SettingsChanges.fields) as ReadonlyArray<keyof SettingsChanges>

/** What of one state is other than in the other, for the audit log. */
const differing = (of: Settings, from: Settings): Record<string, string | boolean | null> =>
  Object.fromEntries(fields.filter((field) => of[field] !== from[field]).map((field) => [field, of[field]]))

/**
 * - `read`: the acting business's settings.
 * - `update`: changes those that are given, and writes down who did, and how they stood. A change of what credentials
 *   stand for (name, clock, currency) is felt at once, on other nodes within a second. Trips keep the currency that
 *   they were booked in, and the instant: a new clock only tells it otherwise. `Conflict` if the slug is taken.
 */
export class BusinessSettings extends Context.Service<
  BusinessSettings,
  {
    readonly read: (acting: ActingBusiness) => Effect.Effect<SettingsRecord, NotFound>
    readonly update: (
      acting: ActingBusiness,
      changes: SettingsChanges,
      precondition?: Precondition<SettingsRecord>
    ) => Effect.Effect<SettingsRecord, NotFound | Conflict>
  }
>()("@livery/domain/BusinessSettings") {
  static readonly layer = Layer.effect(
    BusinessSettings,
    Effect.gen(function* () {
      const transaction = yield* Transaction
      const settings = yield* SettingsRepository
      const credentials = yield* CredentialCache
      const trail = yield* auditTrail

      const present = <A>(found: Option.Option<A>): Effect.Effect<A, NotFound> =>
        Effect.mapError(Effect.fromOption(found), () => new NotFound({ resource: "business" }))

      const read = Effect.fn("BusinessSettings.read")(function* (acting: ActingBusiness) {
        return settingsRecord(yield* present(yield* settings.find(acting.business_id)))
      })

      const store = Effect.fnUntraced(function* (current: StoredSettings, standing: Settings) {
        const businessId = current.business_id
        const stored = yield* settings.update(businessId, standing, yield* DateTime.now)
        yield* trail({
          actor: yield* CurrentActor,
          action: "business.settings_changed",
          subject: `business:${businessId}`,
          businessId,
          before: differing(current, stored),
          after: differing(stored, current)
        })
        yield* transaction.afterCommit(credentials.invalidateAll)
        return stored
      })

      const update = Effect.fn("BusinessSettings.update")(function* (
        acting: ActingBusiness,
        changes: SettingsChanges,
        precondition: Precondition<SettingsRecord> = unconditional
      ) {
        return yield* transaction.run(
          Effect.gen(function* () {
            const current = yield* present(yield* settings.hold(acting.business_id))
            yield* precondition(settingsRecord(current))
            const standing = { ...current, ...changes }
            return settingsRecord(Equal.equals(standing, current) ? current : yield* store(current, standing))
          })
        )
      })

      return BusinessSettings.of({ read, update })
    })
  )
}

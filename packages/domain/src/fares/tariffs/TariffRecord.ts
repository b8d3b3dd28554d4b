/** A business's tariff as stored and in responses (docs/api/fares.md). */
import { Result, Schema } from "effect"
import * as Field from "../../kernel/fields/Field.ts"
import { between } from "../../kernel/fields/FieldIssue.ts"
import { listOf } from "../../kernel/fields/List.ts"
import { orNull } from "../../kernel/fields/Optional.ts"
import { oneOf } from "../../kernel/fields/OneOf.ts"
import { text } from "../../kernel/fields/Text.ts"
import * as Value from "../../kernel/fields/Value.ts"
import { BusinessId, TariffId } from "../../kernel/Ids.ts"
import { Currency } from "../../kernel/money/Currency.ts"
import { rfc3339 } from "../../kernel/time/WallClock.ts"
import { type CompiledTariff, compileTariff } from "../compiled/CompiledTariff.ts"
import { ModifierChanges, Modifiers } from "../rules/Modifiers.ts"
import { ClassRates } from "../rules/Rates.ts"
import { maxClasses, maxZones, Tariff } from "../rules/Tariff.ts"
import { DistanceUnit } from "../rules/TariffFields.ts"
import { TariffWarningKind, tariffWarnings } from "./TariffWarnings.ts"
import { Zone } from "../rules/Zone.ts"

/**
 * A tariff as stored: the content of its latest version, that version's number, from 1, and the instant from which that version
 * prices pickups. A version without one prices the pickups before those of all others.
 */
export const StoredTariff = Schema.Struct({
  tariff_id: Value.id(TariffId).stored,
  business_id: Value.id(BusinessId).stored,
  version: Schema.Int,
  valid_from: Schema.NullOr(Schema.DateTimeUtc),
  content: Schema.toType(Tariff),
  created_at: Schema.DateTimeUtc,
  updated_at: Schema.DateTimeUtc
})
export type StoredTariff = typeof StoredTariff.Type

const listed = {
  tariff_id: Field.assigned(Value.id(TariffId)),
  name: Field.assigned(Value.text(200)),
  currency: Field.assigned(Value.currency),
  version: Field.assigned(Value.unchanged(Schema.Int)),
  created_at: Field.assigned(Value.instant),
  updated_at: Field.assigned(Value.instant)
}

/** The number of a version of a tariff. */
export const TariffVersionNumber = Schema.Int.check(between(1, 2_147_483_647))

/** A tariff in a list, without its prices, as stored. */
export const ListedTariff = Field.storedOf(listed)
export type ListedTariff = typeof ListedTariff.Type

/** A tariff in a list, without its prices. */
export const ListedTariffRecord = Field.recordOf(listed)
export type ListedTariffRecord = typeof ListedTariffRecord.Type

/** The record of a tariff in a list. */
export const listedTariffRecord = Field.encoderOf(listed)

const versionFields = {
  version: Field.assigned(Value.unchanged(Schema.Int)),
  name: Field.assigned(Value.text(200)),
  currency: Field.assigned(Value.currency),
  valid_from: Field.assignedOrNull(Value.instant),
  created_at: Field.assigned(Value.instant)
}

/** A version of a tariff in a list, without its prices, as stored. */
export const ListedTariffVersion = Field.storedOf(versionFields)
export type ListedTariffVersion = typeof ListedTariffVersion.Type

/** A version of a tariff in a list, without its prices. */
export const ListedTariffVersionRecord = Field.recordOf(versionFields)
export type ListedTariffVersionRecord = typeof ListedTariffVersionRecord.Type

/** The record of a version of a tariff in a list. */
export const listedTariffVersionRecord = Field.encoderOf(versionFields)

const tariffRecordStruct = Schema.Struct({
  tariff_id: Value.id(TariffId).wire,
  version: Schema.Int,
  valid_from: Schema.NullOr(Value.instant.wire),
  name: Schema.String,
  currency: Value.currency.wire,
  distance_unit: DistanceUnit,
  zones: Schema.toType(Tariff.fields.zones),
  classes: Schema.toType(Tariff.fields.classes),
  modifiers: Schema.NullOr(Schema.toType(Modifiers)),
  warnings: Schema.Array(Schema.Struct({ rule: Schema.String, warning: TariffWarningKind })),
  created_at: Value.instant.wire,
  updated_at: Value.instant.wire
})
type InferredRecord = typeof tariffRecordStruct.Type

/**
 * A tariff in a response. `warnings` name the rules under which a longer ride can cost less than a shorter one. The type has a name
 * that declarations can use (see `kernel/fields/Field.ts`).
 */
export interface TariffRecord extends InferredRecord {}

type InferredEncoded = typeof tariffRecordStruct.Encoded

/** A tariff in a response as JSON. */
export interface EncodedTariffRecord extends InferredEncoded {}

/** A tariff in a response. */
export const TariffRecord: Schema.Codec<TariffRecord, EncodedTariffRecord> = tariffRecordStruct

/** The record of a tariff. */
export const tariffRecord = ({ content, ...stored }: StoredTariff): TariffRecord => ({
  tariff_id: stored.tariff_id,
  version: stored.version,
  valid_from: stored.valid_from === null ? null : rfc3339(stored.valid_from),
  ...content,
  warnings: Result.match(compileTariff(content, stored.version), {
    onSuccess: (compiled: CompiledTariff) => tariffWarnings(compiled),
    // A stored tariff was compiled before it was stored.
    onFailure: () => []
  }),
  created_at: rfc3339(stored.created_at),
  updated_at: rfc3339(stored.updated_at)
})

const tariffInput = Schema.Struct({ ...Tariff.fields, valid_from: orNull(Value.instant.optional) })
type InferredInput = typeof tariffInput
/** The schema of a new tariff; a named interface, like {@link TariffSchema}. */
export interface TariffInputSchema extends InferredInput {}

/** A new tariff. It prices pickups from `valid_from` on, at any time without one. */
export const TariffInput: TariffInputSchema = tariffInput
export type TariffInput = typeof TariffInput.Type

const tariffChanges = Field.changesOf({
  valid_from: { change: Schema.optionalKey(Schema.NullOr(Value.instant.optional)) },
  name: { change: Schema.optionalKey(text(200)) },
  currency: { change: Schema.optionalKey(Currency) },
  distance_unit: { change: Schema.optionalKey(oneOf(DistanceUnit)) },
  zones: { change: Schema.optionalKey(listOf(Zone, { most: maxZones })) },
  classes: { change: Schema.optionalKey(listOf(ClassRates, { least: 1, most: maxClasses })) },
  modifiers: { change: Schema.optionalKey(Schema.NullOr(ModifierChanges)) }
})
type InferredChanges = typeof tariffChanges
/** The schema of a change of a tariff; a named interface, like {@link TariffSchema}. */
export interface TariffChangesSchema extends InferredChanges {}

/**
 * A change of a tariff: at least one field. A list replaces the whole list. Of the modifiers, those that are sent replace their
 * former rules and the others stay; `null` clears all of them.
 */
export const TariffChanges: TariffChangesSchema = tariffChanges
export type TariffChanges = typeof TariffChanges.Type

/** Which notices a business sends, by which channels and in which words (docs/api/notices.md). */
import { Schema } from "effect"
import { check } from "../../kernel/fields/FieldIssue.ts"
import * as Field from "../../kernel/fields/Field.ts"
import { listOf } from "../../kernel/fields/List.ts"
import { oneOf } from "../../kernel/fields/OneOf.ts"
import { text } from "../../kernel/fields/Text.ts"
import * as Value from "../../kernel/fields/Value.ts"
import { MessageChannel } from "../../mail/MailMessage.ts"
import { knownPlaceholders } from "../../mail/Template.ts"
import { defaultQuietMinutes } from "../../trips/changes/QuietTime.ts"
import { CustomerNoticeKind, isForCustomers, NoticeKind } from "./NoticeKind.ts"

/** The placeholders of templates, without the braces. A placeholder without a value is left out. */
export const noticePlaceholders = [
  "business_name",
  "recipient_name",
  "reference",
  "pickup_time",
  "pickup_address",
  "dropoff_address",
  "flight_number",
  "driver_name",
  "driver_phone",
  "car",
  "total",
  "link",
  "details",
  "message"
] as const

/** A text of each placeholder. */
export type NoticeValues = Readonly<Record<(typeof noticePlaceholders)[number], string>>

/** The languages of notices: those of the other letters. */
export const NoticeLanguage = Schema.Literals(["de", "el", "en", "es", "fr", "it", "nl", "pl", "pt", "uk"])
export type NoticeLanguage = typeof NoticeLanguage.Type

const isNoticeLanguage = Schema.is(NoticeLanguage)

/** The language of notices for a locale; English if there are no words in its language. */
export const noticeLanguageOf = (locale: string | null): NoticeLanguage => {
  const language = (locale ?? "en").toLowerCase().split("-")[0] ?? "en"
  return isNoticeLanguage(language) ? language : "en"
}

const known = knownPlaceholders(noticePlaceholders)

const template = Schema.Struct({
  kind: oneOf(NoticeKind),
  language: oneOf(NoticeLanguage),
  subject: text(200).check(known),
  text: text(5000).check(known),
  short: text(600).check(known)
})
type Template = typeof template

/** The type of the schema below, with a name that declarations can use (see `kernel/fields/Field.ts`). */
export interface NoticeTemplateSchema extends Template {}

/**
 * The words of one kind in one language: the subject and the text of the email, and the short text of text messages and push
 * messages.
 */
export const NoticeTemplate: NoticeTemplateSchema = template
export type NoticeTemplate = typeof NoticeTemplate.Type

const isWithoutRepetition = (values: ReadonlyArray<unknown>) => new Set(values).size === values.length

const Channels = listOf(oneOf(MessageChannel), { most: 3 }).check(
  check<ReadonlyArray<string>>("invalid", isWithoutRepetition, { uniqueItems: true })
)

const channelsOf = <const K extends string>(kinds: ReadonlyArray<K>) =>
  Object.fromEntries(kinds.map((kind) => [kind, Schema.optionalKey(Channels)])) as Record<
    K,
    Schema.optionalKey<typeof Channels>
  >

const switches = Schema.Struct(channelsOf(NoticeKind.literals))
type Switches = typeof switches

/** As {@link NoticeTemplateSchema}. */
export interface NoticeSwitchesSchema extends Switches {}

/** A change of the channels of some kinds. */
const NoticeSwitchChanges: NoticeSwitchesSchema = switches

const allSwitches = Schema.Struct(
  Object.fromEntries(NoticeKind.literals.map((kind) => [kind, Schema.Array(MessageChannel)])) as Record<
    NoticeKind,
    Schema.$Array<typeof MessageChannel>
  >
)
type AllSwitches = typeof allSwitches

/** As {@link NoticeTemplateSchema}. */
export interface AllNoticeSwitchesSchema extends AllSwitches {}

/** The channels of each kind, in the order in which they are tried. The first by which a person can be reached is used. */
export const NoticeSwitches: AllNoticeSwitchesSchema = allSwitches
export type NoticeSwitches = typeof NoticeSwitches.Type

const byDefault = (kind: NoticeKind): ReadonlyArray<MessageChannel> => {
  if (isForCustomers(kind)) return []
  return kind === "driver_declined" ? ["mail"] : ["push", "mail"]
}

/** All kinds; those that are not given as `base` has them. */
const completed = (
  given: typeof NoticeSwitchChanges.Type,
  base: (kind: NoticeKind) => ReadonlyArray<MessageChannel>
): NoticeSwitches =>
  Object.fromEntries(NoticeKind.literals.map((kind) => [kind, given[kind] ?? base(kind)])) as NoticeSwitches

const Templates = listOf(NoticeTemplate, { most: 130 }).check(
  check<ReadonlyArray<NoticeTemplate>>(
    "invalid",
    (templates) => isWithoutRepetition(templates.map(({ kind, language }) => `${kind} ${language}`)),
    {}
  )
)

const value = <A, I>(written: Schema.Codec<A, I> & Schema.WithoutConstructorDefault) => ({
  required: written,
  optional: written,
  stored: Schema.toType(written),
  wire: Schema.toType(written)
})

/**
 * The fields of the settings. `quiet_minutes` is how long a change waits for further changes; `reminder_minutes` how long before
 * the pickup the reminder is sent.
 */
const noticeSettingsFields = Field.ofNobody({
  channels: {
    change: Schema.optionalKey(NoticeSwitchChanges),
    stored: NoticeSwitches,
    wire: NoticeSwitches
  },
  quiet_minutes: Field.required(Value.wholeNumber(0, 60)),
  reminder_minutes: Field.required(Value.wholeNumber(15, 20_160)),
  // A check hides from the types that the list has no default.
  templates: Field.required(value(Templates as typeof Templates & Schema.WithoutConstructorDefault))
})

/**
 * A trip is reminded of again if it has moved to a later time by more than half of the time before the pickup: then its reminder is
 * older than so many times that time.
 */
export const reminderReach = 1.5

const changesStruct = Field.changesOf(noticeSettingsFields)
type ChangesStruct = typeof changesStruct

/** As {@link NoticeTemplateSchema}. */
export interface NoticeSettingsChangesSchema extends ChangesStruct {}

/** A change of the settings: at least one field. `channels` changes the kinds that it names; `templates` is replaced as a whole. */
export const NoticeSettingsChanges: NoticeSettingsChangesSchema = changesStruct
export type NoticeSettingsChanges = typeof NoticeSettingsChanges.Type

const storedStruct = Field.storedOf(noticeSettingsFields)
type StoredStruct = typeof storedStruct

/** As {@link NoticeTemplateSchema}. */
export interface NoticeSettingsSchema extends StoredStruct {}

/** The settings of a business, as stored and in responses. */
export const NoticeSettings: NoticeSettingsSchema = storedStruct
export type NoticeSettings = typeof NoticeSettings.Type

/** The settings of a business that has set nothing: only drivers and the office are told. */
export const defaultNoticeSettings: NoticeSettings = {
  channels: completed({}, byDefault),
  quiet_minutes: defaultQuietMinutes,
  reminder_minutes: 1440,
  templates: []
}

/** The settings after a change. */
export const changedNoticeSettings = (
  current: NoticeSettings,
  { channels, ...changes }: NoticeSettingsChanges
): NoticeSettings => ({
  ...current,
  ...changes,
  channels: completed(channels ?? {}, (kind) => current.channels[kind])
})

const preferences = Schema.Struct({
  kinds: Schema.NullOr(listOf(oneOf(CustomerNoticeKind), { most: CustomerNoticeKind.literals.length })),
  channels: Schema.NullOr(Channels)
})
type Preferences = typeof preferences

/** As {@link NoticeTemplateSchema}. */
export interface NoticePreferencesSchema extends Preferences {}

/**
 * What a customer wants: the kinds that the customer is told, and the channels in the order in which they are tried. Null leaves
 * it to the business; an empty list of kinds tells the customer nothing.
 */
export const NoticePreferences: NoticePreferencesSchema = preferences
export type NoticePreferences = typeof NoticePreferences.Type

/** The preferences of a customer who has none. */
export const noNoticePreferences: NoticePreferences = { kinds: null, channels: null }

/** The channels by which a kind is told, in the order in which they are tried; none if the kind is switched off. */
export const channelsFor = (
  kind: NoticeKind,
  { channels }: Pick<NoticeSettings, "channels">,
  preferences: NoticePreferences = noNoticePreferences
): ReadonlyArray<MessageChannel> => {
  if (!isForCustomers(kind)) return channels[kind]
  if (preferences.kinds !== null && !preferences.kinds.includes(kind)) return []
  if (channels[kind].length === 0 && preferences.kinds === null) return []
  const ofBusiness: ReadonlyArray<MessageChannel> = channels[kind].length > 0 ? channels[kind] : ["mail"]
  return preferences.channels ?? ofBusiness
}

/** Whether a business with these settings tells customers anything without a customer's own preference. */
export const tellsCustomers = ({ channels }: Pick<NoticeSettings, "channels">): boolean =>
  CustomerNoticeKind.literals.some((kind) => channels[kind].length > 0)

/** Whether the business reminds customers without a customer's own preference. */
export const remindsCustomers = ({ channels }: Pick<NoticeSettings, "channels">): boolean =>
  channels.reminder.length > 0

/** Whether a customer wants any kind, or a certain one, whatever the business has set. */
export const wants = ({ kinds }: NoticePreferences, kind?: CustomerNoticeKind): boolean =>
  kinds !== null && (kind === undefined ? kinds.length > 0 : kinds.includes(kind))

/** The persons that a notice goes to, and the channel by which each is reached. */
import { Effect, Option } from "effect"
import type { Business } from "../business/Business.ts"
import { CustomerRepository } from "../customers/CustomerRepository.ts"
import { DriverRepository } from "../fleet/drivers/DriverRepository.ts"
import { DeviceRepository } from "../identity/devices/DeviceRepository.ts"
import { ScreenRepository } from "../identity/screens/ScreenRepository.ts"
import { canonicalPhone, countryOf } from "../kernel/fields/PhoneNumber.ts"
import type { DriverId, UserId } from "../kernel/Ids.ts"
import { Cryptography } from "../kernel/security/Cryptography.ts"
import type { MessageChannel } from "../mail/MailMessage.ts"
import type { BusinessProfile } from "../settings/BusinessProfile.ts"
import type { ToldTrip } from "../trips/changes/ToldTrip.ts"
import { NoticeRepository } from "./NoticeRepository.ts"
import { NoticeSettingsRepository } from "./NoticeSettingsRepository.ts"
import type { NoticeParty } from "./rules/NoticeKind.ts"
import {
  type NoticeLanguage,
  noticeLanguageOf,
  type NoticePreferences,
  noNoticePreferences
} from "./rules/NoticeSettings.ts"

/** A person who is told. `userId` is the account of a driver. `isPayer` is whether invoices concern the person. */
export interface Recipient {
  readonly party: NoticeParty
  readonly driverId: DriverId | null
  readonly userId: UserId | null
  readonly isPayer: boolean
  readonly name: string
  readonly email: string | null
  readonly phone: string | null
  readonly language: NoticeLanguage
}

/** How a person is reached. `to` is the address in the outbox; `address` is the one that the notice shows. */
export interface Reach {
  readonly channel: MessageChannel
  readonly to: string
  readonly address: string | null
}

/** The passengers and the booker of a trip, with what their customer prefers. */
interface ToldCustomers {
  readonly people: ReadonlyArray<Recipient>
  readonly preferences: NoticePreferences
}

/**
 * - `customersOf`: the customer, the passengers and the booker of a trip.
 * - `driverOf`: a driver; undefined for a deleted one.
 * - `officeOf`: the office of the business.
 * - `reach`: the first of the channels by which a person is reached; undefined if none does.
 */
export const makeRecipients = Effect.gen(function* () {
  const customers = yield* CustomerRepository
  const drivers = yield* DriverRepository
  const devices = yield* DeviceRepository
  const screens = yield* ScreenRepository
  const notices = yield* NoticeRepository
  const settings = yield* NoticeSettingsRepository
  const cryptography = yield* Cryptography

  const customersOf = Effect.fnUntraced(function* (
    { business_id }: Business,
    profile: BusinessProfile,
    { booker, customer, customer_id, passengers }: ToldTrip
  ) {
    const found =
      customer_id === null
        ? undefined
        : Option.getOrUndefined(yield* customers.find(business_id, customer_id))
    const preferences =
      customer_id === null
        ? noNoticePreferences
        : Option.getOrElse(yield* settings.preferences(business_id, customer_id), () => noNoticePreferences)
    const language = noticeLanguageOf(found?.language ?? profile.locale)
    const recipient = (party: NoticeParty, contact: ToldTrip["customer"], isPayer: boolean): Recipient => ({
      party,
      isPayer,
      driverId: null,
      userId: null,
      name: contact.name ?? "",
      email: contact.email,
      phone: contact.phone,
      language
    })
    const people = [
      recipient("passenger", customer, true),
      ...passengers.map((passenger) => recipient("passenger", passenger, false)),
      ...(booker.email === null && booker.phone === null ? [] : [recipient("booker", booker, true)])
    ]
    return { people, preferences } satisfies ToldCustomers
  })

  const driverOf = Effect.fnUntraced(function* (
    { business_id }: Business,
    profile: BusinessProfile,
    driverId: DriverId
  ) {
    const driver = Option.getOrUndefined(yield* drivers.find(business_id, driverId))
    if (driver === undefined) return undefined
    const { email, name, phone, user_id } = driver
    const preferences =
      user_id === null ? undefined : Option.getOrUndefined(yield* screens.preferences(user_id))
    const language = noticeLanguageOf(preferences?.language ?? profile.locale)
    const recipient: Recipient = {
      party: "driver",
      driverId,
      userId: user_id,
      isPayer: false,
      name,
      email,
      phone,
      language
    }
    return recipient
  })

  const officeOf = (
    { business_email, business_name, locale, phone }: BusinessProfile,
    driverId: DriverId
  ): Recipient => ({
    party: "office",
    driverId,
    userId: null,
    isPayer: false,
    name: business_name,
    email: business_email,
    phone,
    language: noticeLanguageOf(locale)
  })

  const phoneOf = Effect.fnUntraced(function* (profile: BusinessProfile, typed: string) {
    const number = canonicalPhone(typed, countryOf(profile))
    if (number === undefined || !number.startsWith("+")) return undefined
    if (Option.isNone(yield* settings.gateway(profile.business_id))) return undefined
    const isStopped = yield* notices.isStopped(profile.business_id, yield* cryptography.sha256(number))
    return isStopped ? undefined : number
  })

  const byChannel = Effect.fnUntraced(function* (
    profile: BusinessProfile,
    { email, phone, userId }: Recipient,
    channel: MessageChannel
  ): Effect.fn.Return<Reach | undefined> {
    if (channel === "mail") return email === null ? undefined : { channel, to: email, address: email }
    if (channel === "text") {
      const number = phone === null ? undefined : yield* phoneOf(profile, phone)
      return number === undefined ? undefined : { channel, to: number, address: number }
    }
    if (userId === null) return undefined
    const hasBrowser = (yield* devices.list(userId)).some(({ platform }) => platform === "web")
    return hasBrowser ? { channel, to: String(userId), address: null } : undefined
  })

  const reach = Effect.fnUntraced(function* (
    profile: BusinessProfile,
    recipient: Recipient,
    channels: ReadonlyArray<MessageChannel>
  ) {
    for (const channel of channels) {
      const found = yield* byChannel(profile, recipient, channel)
      if (found !== undefined) return found
    }
    return undefined
  })

  return { customersOf, driverOf, officeOf, reach }
})

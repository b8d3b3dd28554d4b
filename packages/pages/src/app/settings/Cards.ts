/** The cards of settings that are plain fields of the business. */
import type { Settings, Weekdays } from "@livery/client"
import { format } from "../../i18n/Language.ts"
import { money } from "../Formats.ts"
import type { Changes, RecordField } from "../parts/Record.tsx"
import type { CardKind } from "./Card.tsx"
import {
  daysOf,
  daysText,
  hoursOf,
  hoursText,
  leadsOf,
  linesOf,
  numberAt,
  taxesOf,
  weekdays
} from "./Lists.ts"
import type { SettingsWords } from "./words/en.ts"

const text = (value: number | string | null) => String(value ?? "")

/** A field with the name and the value of a setting. */
const field =
  (settings: Settings, words: SettingsWords) =>
  (name: keyof Settings & keyof SettingsWords, more: Partial<RecordField> = {}): RecordField => ({
    name,
    label: words[name],
    value: text(settings[name] as string | number | null),
    ...more
  })

const flag = (name: string, label: string, value: boolean, words: SettingsWords): RecordField => ({
  name,
  label,
  value: String(value),
  kind: "flag",
  isRequired: true,
  shown: value ? words.yes : words.no
})

const number = { kind: "number" } as const

const zones = Intl.supportedValuesOf("timeZone").map((zone) => [zone, zone.replaceAll("_", " ")] as const)

const company: CardKind = {
  title: (words) => words.company,
  fields: (settings, words) => {
    const of = field(settings, words)
    return [
      of("business_name", { isRequired: true }),
      of("business_email", { kind: "email", isRequired: true }),
      of("phone", { kind: "tel" }),
      of("address", { kind: "area" }),
      of("website_url"),
      of("country", { hint: words.countryHint }),
      of("locale", { hint: words.localeHint }),
      of("timezone", {
        isRequired: true,
        options: zones.some(([zone]) => zone === settings.timezone)
          ? zones
          : [[settings.timezone, settings.timezone], ...zones]
      }),
      of("currency", { isRequired: true, hint: words.currencyHint }),
      of("vendor_slug", { isRequired: true, hint: words.slugHint })
    ]
  }
}

const dispatch: CardKind = {
  title: (words) => words.dispatch,
  fields: (settings, words) => {
    const of = field(settings, words)
    return [
      of("clash_policy", {
        isRequired: true,
        options: [
          ["off", words.clash_off],
          ["warn", words.clash_warn],
          ["enforce", words.clash_enforce]
        ],
        shown: words[`clash_${settings.clash_policy}`]
      }),
      flag("drive_time_enforced", words.drive_time_enforced, settings.drive_time_enforced, words),
      of("turnaround_minutes", { ...number, isRequired: true }),
      of("early_start_minutes", { ...number, hint: words.earlyHint }),
      flag("pickup_pin", words.pickup_pin, settings.pickup_pin, words),
      {
        name: "holidays",
        label: words.holidays,
        hint: words.holidaysHint,
        kind: "area",
        value: daysText(settings.holidays)
      }
    ]
  },
  fieldOf: (path) => path.replace(/^holidays\..*/u, "holidays"),
  body: ({ holidays, ...changes }) => ({
    ...changes,
    ...(holidays === undefined ? {} : { holidays: daysOf(holidays) })
  })
}

const invoices: CardKind = {
  title: (words) => words.invoices,
  fields: (settings, words) => {
    const of = field(settings, words)
    return [
      of("vat_number"),
      of("tax_number"),
      of("registration_number"),
      of("iban"),
      of("bic"),
      of("payment_terms_days", number),
      flag("part_payments_allowed", words.part_payments_allowed, settings.part_payments_allowed, words)
    ]
  }
}

/** `10 5.00` for each level: its days, and its fee. A level keeps its wordings by its place. */
const levelsOf = (typed: unknown, { levels }: Settings["dunning"]) =>
  linesOf(typed).map((line, index) => {
    const [days, fee] = line.split(/\s+/u)
    const { wordings } = levels[index] ?? {}
    return {
      days: numberAt("levels", days),
      ...(fee !== undefined && { fee: numberAt("levels", fee) }),
      ...(wordings !== undefined && { wordings })
    }
  })

const daysOfLevel = (days: number) => format.duration(days * 1440)

const dunning: CardKind = {
  title: (words) => words.dunning,
  fields: ({ dunning: { automatic = false, levels } }, words) => [
    flag("automatic", words.dunningAutomatic, automatic, words),
    {
      name: "levels",
      label: words.dunningLevels,
      kind: "area",
      hint: words.dunningHint,
      shown: levels
        .map(({ days, fee = 0 }) => (fee === 0 ? daysOfLevel(days) : `${daysOfLevel(days)} · ${money(fee)}`))
        .join("\n"),
      value: levels
        .map(({ days, fee = 0 }) => (fee === 0 ? `${days}` : `${days} ${format.number(fee)}`))
        .join("\n")
    }
  ],
  fieldOf: (path) => path.replace(/^dunning\./u, ""),
  body: (changes, settings) => ({
    dunning: {
      ...settings.dunning,
      ...("automatic" in changes && { automatic: changes["automatic"] }),
      ...("levels" in changes && { levels: levelsOf(changes["levels"], settings.dunning) })
    }
  })
}

const taxes: CardKind = {
  title: (words) => words.taxes,
  fields: (settings, words) => {
    const of = field(settings, words)
    return [
      {
        name: "default_taxes",
        label: words.default_taxes,
        kind: "area",
        hint: words.taxesHint,
        value: settings.default_taxes
          .map(({ name, rate }) => `${format.number(rate)}${name === null ? "" : ` ${name}`}`)
          .join("\n")
      },
      flag("prices_include_tax", words.prices_include_tax, settings.prices_include_tax, words),
      of("untaxed_as", {
        isRequired: true,
        options: [
          ["zero_rated", words.untaxed_zero_rated],
          ["exempt", words.untaxed_exempt],
          ["reverse_charge", words.untaxed_reverse_charge],
          ["outside_scope", words.untaxed_outside_scope]
        ],
        shown: words[`untaxed_${settings.untaxed_as}`]
      }),
      of("untaxed_reason")
    ]
  },
  body: (changes) =>
    "default_taxes" in changes
      ? { ...changes, default_taxes: taxesOf(changes["default_taxes"], "default_taxes") }
      : changes
}

const bookingFields = (
  { booking_confirmation_required, booking_page: page }: Settings,
  words: SettingsWords
): ReadonlyArray<RecordField> => [
  flag(
    "booking_confirmation_required",
    words.booking_confirmation_required,
    booking_confirmation_required,
    words
  ),
  flag("asks_payment", words.asks_payment, page.asks_payment, words),
  { name: "lead_minutes", label: words.lead_minutes, value: text(page.lead_minutes), ...number },
  {
    name: "class_leads",
    label: words.class_leads,
    kind: "area",
    hint: words.classLeadsHint,
    value: page.class_leads.map(({ minutes, vehicle_class }) => `${vehicle_class} ${minutes}`).join("\n")
  },
  {
    name: "manual_pricing_hours",
    label: words.manual_pricing_hours,
    value: text(page.manual_pricing_hours),
    ...number
  },
  {
    name: "blackout_dates",
    label: words.blackout_dates,
    kind: "area",
    hint: words.blackoutHint,
    value: daysText(page.blackout_dates)
  },
  {
    name: "embed_origins",
    label: words.embed_origins,
    kind: "area",
    hint: words.embedHint,
    value: page.embed_origins.join("\n")
  }
]

const lists: Readonly<Record<string, (text: unknown, field: string) => unknown>> = {
  class_leads: leadsOf,
  blackout_dates: daysOf,
  embed_origins: linesOf
}

/** The path of a part of the booking page, without its beginning. */
const ofPage = (path: string) => path.replace(/^booking_page\./u, "")

const booking: CardKind = {
  title: (words) => words.booking,
  fields: bookingFields,
  fieldOf: ofPage,
  body: ({ booking_confirmation_required, ...rest }, { booking_page }) => ({
    ...(booking_confirmation_required !== undefined && { booking_confirmation_required }),
    ...(Object.keys(rest).length > 0 && {
      booking_page: {
        ...booking_page,
        ...Object.fromEntries(
          Object.entries(rest).map(([name, value]) => [name, lists[name]?.(value, name) ?? value])
        )
      }
    })
  })
}

const hours: CardKind = {
  title: (words) => words.hours,
  fields: ({ booking_page }, words) =>
    weekdays.map((day, index) => ({
      name: `hours_${day}`,
      label: format.weekday((index + 1) % 7),
      value: hoursText(booking_page.opening_hours, day),
      ...(index === 0 && { hint: words.hoursHint }),
      shown:
        hoursText(booking_page.opening_hours, day) ||
        (booking_page.opening_hours.length === 0 ? words.always : words.closed)
    })),
  fieldOf: (path) => (path.startsWith("booking_page.opening_hours") ? "hours_mon" : path),
  body: (changes: Changes, { booking_page }) => ({
    booking_page: {
      ...booking_page,
      opening_hours: hoursOf(
        Object.fromEntries(
          weekdays.map((day) => [
            day,
            `hours_${day}` in changes
              ? text(changes[`hours_${day}`] as string)
              : hoursText(booking_page.opening_hours, day)
          ])
        ) as Record<Weekdays, string>,
        booking_page.opening_hours
      )
    }
  })
}

/** The cards of each section. */
export const cards = {
  company: [company],
  booking: [booking, hours],
  dispatch: [dispatch],
  invoices: [invoices, dunning],
  taxes: [taxes]
} as const satisfies Readonly<Record<string, ReadonlyArray<CardKind>>>

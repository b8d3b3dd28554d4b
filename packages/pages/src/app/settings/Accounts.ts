/** The accounts of exports to bookkeeping: DATEV, QuickBooks and Xero. */
import type { Settings } from "@livery/client"
import { format } from "../../i18n/Language.ts"
import type { RecordField } from "../parts/Record.tsx"
import type { CardKind } from "./Card.tsx"
import { linesOf, numberAt } from "./Lists.ts"
import type { SettingsWords } from "./words/en.ts"

type System = keyof Settings["accounting"]

const common = ["receivable", "revenue", "bank", "cash", "card", "other", "credit"] as const

const own = {
  datev: ["adviser_number", "client_number", "fiscal_year_month", "account_length"],
  quickbooks: ["tax"],
  xero: []
} as const satisfies Readonly<Record<System, ReadonlyArray<keyof SettingsWords>>>

const titles = { datev: "DATEV", quickbooks: "QuickBooks", xero: "Xero" } as const

const numbers: ReadonlySet<string> = new Set(["fiscal_year_month", "account_length"])

const untaxed: ReadonlySet<string> = new Set(["zero_rated", "exempt", "reverse_charge", "outside_scope"])

/** `8.1 8400 3` for each rate: the rate, its account, and perhaps its tax key or why there is no tax. */
const ratesOf = (text: unknown) =>
  linesOf(text).map((line) => {
    const [rate, account = "", ...more] = line.split(/\s+/u)
    const untaxed_as = more.find((part) => untaxed.has(part))
    const tax_key = more.find((part) => !untaxed.has(part))
    return {
      rate: numberAt("rates", rate?.replace("%", "")),
      account,
      ...(untaxed_as !== undefined && { untaxed_as }),
      ...(tax_key !== undefined && { tax_key })
    }
  })

const kindOf = (system: System): CardKind => ({
  title: () => titles[system],
  fields: ({ accounting }, words) => {
    const stored = (accounting[system] ?? {}) as Readonly<Record<string, string | number | null>>
    const rates = accounting[system]?.rates ?? []
    const of = (name: keyof SettingsWords): RecordField => ({
      name,
      label: words[name],
      value: String(stored[name] ?? ""),
      ...(numbers.has(name) && { kind: "number" as const })
    })
    return [
      ...(system === "datev"
        ? [
            {
              ...of("chart"),
              options: [
                ["skr03", "SKR 03"],
                ["skr04", "SKR 04"]
              ] as const
            }
          ]
        : []),
      ...own[system].map(of),
      ...common.map(of),
      {
        name: "rates",
        label: words.rates,
        kind: "area",
        hint: words.ratesHint,
        value: rates
          .map(({ account, rate, tax_key, untaxed_as }) =>
            [format.number(rate), account, untaxed_as, tax_key]
              .filter((part) => part !== null && part !== undefined)
              .join(" ")
          )
          .join("\n")
      }
    ]
  },
  fieldOf: (path) => path.replace(`accounting.${system}.`, ""),
  body: (changes, { accounting }) => ({
    accounting: {
      ...accounting,
      [system]: {
        ...accounting[system],
        ...changes,
        ...("rates" in changes && { rates: ratesOf(changes["rates"]) })
      }
    }
  })
})

export const accountCards: ReadonlyArray<CardKind> = [kindOf("datev"), kindOf("quickbooks"), kindOf("xero")]

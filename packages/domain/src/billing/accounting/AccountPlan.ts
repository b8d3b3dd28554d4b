/** The accounts to which exports post, for each bookkeeping program (docs/billing/exports.md). */
import { Schema } from "effect"
import { decimals } from "../../kernel/fields/Decimals.ts"
import { between, check } from "../../kernel/fields/FieldIssue.ts"
import { listOf } from "../../kernel/fields/List.ts"
import { oneOf } from "../../kernel/fields/OneOf.ts"
import { text } from "../../kernel/fields/Text.ts"
import { UntaxedAs } from "../invoice/Untaxed.ts"
import type { AccountRole } from "../ledger/Posting.ts"

/** A value that is absent or null in a request. */
const orAbsent = <S extends Schema.Constraint>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

/** The number or the name of an account. No control character and no quotation mark: some programs cannot read them. */
const Account = Schema.String.check(
  check<string>("required", (text) => text.trim() !== "", { minLength: 1 }),
  check<string>("too_long", (text) => text.length <= 60, { maxLength: 60 }),
  check<string>("invalid", (text) => /^[^\p{Cc}"]*$/u.test(text))
)

/** A whole number with as many digits as a text may have, for example the number of an adviser. */
const Digits = (most: number) =>
  Schema.String.check(
    check<string>("invalid", (text) => new RegExp(`^[0-9]{1,${most}}$`, "u").test(text), {
      pattern: `^[0-9]{1,${most}}$`
    })
  )

/**
 * The revenue account of a tax rate, and the key of the tax for the program: the BU-Schlüssel of DATEV, the `TaxType` of Xero.
 * `untaxed_as` distinguishes accounts at a rate of zero.
 */
const RateAccount = Schema.Struct({
  rate: Schema.Finite.check(between(0, 100), decimals(3)),
  untaxed_as: orAbsent(oneOf(UntaxedAs)),
  account: Account,
  tax_key: orAbsent(Account)
})

/** The account of the tax with a name, such as `QST`. */
const TaxAccount = Schema.Struct({ name: text(60), account: Account })

/** The accounts for one program. Those that are absent are the program's usual ones. */
const programFields = {
  receivable: orAbsent(Account),
  revenue: orAbsent(Account),
  bank: orAbsent(Account),
  cash: orAbsent(Account),
  card: orAbsent(Account),
  other: orAbsent(Account),
  credit: orAbsent(Account),
  rates: Schema.optionalKey(listOf(RateAccount, { most: 30 }))
}

const accountingStruct = Schema.Struct({
  datev: orAbsent(
    Schema.Struct({
      ...programFields,
      chart: orAbsent(oneOf(Schema.Literals(["skr03", "skr04"]))),
      adviser_number: orAbsent(Digits(7)),
      client_number: orAbsent(Digits(5)),
      fiscal_year_month: orAbsent(Schema.Int.check(between(1, 12))),
      account_length: orAbsent(Schema.Int.check(between(4, 8)))
    })
  ),
  quickbooks: orAbsent(
    Schema.Struct({
      ...programFields,
      tax: orAbsent(Account),
      tax_accounts: Schema.optionalKey(listOf(TaxAccount, { most: 10 }))
    })
  ),
  xero: orAbsent(Schema.Struct(programFields))
})
type AccountingStruct = typeof accountingStruct

/** The type of the schema below, with a name that declarations can use (see `kernel/fields/Field.ts`). */
export interface AccountingSchema extends AccountingStruct {}

/**
 * The accounts and the numbers of a business for exports. What is absent has the value that is usual in the program:
 * of `datev`, the accounts of the chart SKR03 or SKR04, a `fiscal_year_month` of 1 and an `account_length` of 4.
 */
export const Accounting: AccountingSchema = accountingStruct
export type Accounting = typeof Accounting.Type

/** The accounts of a new business. */
export const defaultAccounting: Accounting = {}

/** The accounting with the default for an absent value, as callers may write it. */
export const AccountingInput: Schema.Codec<Accounting, typeof accountingStruct.Encoded> &
  Schema.WithoutConstructorDefault = accountingStruct

/** The revenue account of a rate, and the key of its tax; null without one. */
export interface RevenueAccount {
  readonly account: string
  readonly taxKey: string | null
}

/** The accounts of one program, complete. */
export interface AccountPlan {
  readonly accountOf: (role: Exclude<AccountRole, "revenue">) => string
  readonly revenueOf: (rate: number, untaxedAs: UntaxedAs) => RevenueAccount
}

interface UsualRate {
  readonly rate: number
  readonly untaxed_as?: UntaxedAs
  readonly account: string
  readonly tax_key?: string
}

interface UsualAccounts {
  readonly accounts: Readonly<Record<AccountRole, string>>
  readonly rates: ReadonlyArray<UsualRate>
}

/**
 * The usual accounts. The revenue accounts of DATEV at 19 % and 7 % compute the tax themselves, so that they take no key.
 * `receivable` of DATEV is the account for receivables without a personal account.
 */
const usual = {
  skr03: {
    accounts: {
      receivable: "1410",
      revenue: "8200",
      bank: "1200",
      cash: "1000",
      card: "1360",
      other: "1360",
      credit: "1590"
    },
    rates: [
      { rate: 19, account: "8400" },
      { rate: 7, account: "8300" },
      { rate: 0, untaxed_as: "exempt", account: "8100" },
      { rate: 0, untaxed_as: "reverse_charge", account: "8337" }
    ]
  },
  skr04: {
    accounts: {
      receivable: "1210",
      revenue: "4200",
      bank: "1800",
      cash: "1600",
      card: "1460",
      other: "1460",
      credit: "1370"
    },
    rates: [
      { rate: 19, account: "4400" },
      { rate: 7, account: "4300" },
      { rate: 0, untaxed_as: "exempt", account: "4100" },
      { rate: 0, untaxed_as: "reverse_charge", account: "4337" }
    ]
  },
  quickbooks: {
    accounts: {
      receivable: "Accounts Receivable",
      revenue: "Sales",
      bank: "Undeposited Funds",
      cash: "Undeposited Funds",
      card: "Undeposited Funds",
      other: "Undeposited Funds",
      credit: "Customer Credits"
    },
    rates: []
  },
  xero: {
    accounts: {
      receivable: "610",
      revenue: "200",
      bank: "090",
      cash: "090",
      card: "090",
      other: "090",
      credit: "855"
    },
    rates: [{ rate: 0, account: "200", tax_key: "Tax Exempt" }]
  }
} as const satisfies Readonly<Record<string, UsualAccounts>>

/** The program of a plan. */
export type Program = "datev" | "quickbooks" | "xero"

const isOfRate =
  (rate: number, untaxedAs: UntaxedAs) =>
  (one: { readonly rate: number; readonly untaxed_as?: UntaxedAs | null }) =>
    one.rate === rate && (rate !== 0 || (one.untaxed_as ?? untaxedAs) === untaxedAs)

/** The plan of a program: what the business has set, and otherwise the usual accounts. */
export const accountPlanOf = (accounting: Accounting, program: Program): AccountPlan => {
  const own = accounting[program] ?? {}
  const { accounts, rates }: UsualAccounts =
    program === "datev" ? usual[accounting.datev?.chart ?? "skr03"] : usual[program]
  const accountOf = (role: AccountRole) => own[role] ?? accounts[role]
  return {
    accountOf,
    revenueOf: (rate, untaxedAs) => {
      const found = (own.rates ?? []).find(isOfRate(rate, untaxedAs)) ?? rates.find(isOfRate(rate, untaxedAs))
      return { account: found?.account ?? accountOf("revenue"), taxKey: found?.tax_key ?? null }
    }
  }
}

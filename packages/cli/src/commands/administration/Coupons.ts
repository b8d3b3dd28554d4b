/** `livery coupons …`: the coupons of the platform. */
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { AdminCoupons, CouponDuration, InvalidInput, SaasCouponInput } from "@livery/domain"
import {
  adminFlags,
  reasonFlag,
  decoded,
  listFlags,
  printList,
  printRecord,
  printRecordFrom,
  recordArgument,
  runOnDatabase
} from "./AdminCommand.ts"
import { descriptions } from "../../usage/Descriptions.ts"

const list = Command.make("list", listFlags, (flags) =>
  printList(flags, {
    name: "coupons",
    path: "/saas-coupons",
    filters: {},
    direct: (page) => AdminCoupons.use((coupons) => coupons.list(page)),
    columns: [
      ["coupon_id", "ID"],
      ["code", "CODE"],
      ["percent_off", "PERCENT"],
      ["amount_off", "AMOUNT"],
      ["currency", "CURRENCY"],
      ["duration", "DURATION"],
      ["times_redeemed", "USED"],
      ["active", "ACTIVE"]
    ]
  })
).pipe(
  Command.withDescription("The coupons of the platform"),
  Command.withExamples([{ command: "livery coupons list --json", description: "For a script" }])
)

const id = recordArgument("coupon-id").pipe(
  Argument.withDescription("The id of the coupon, as in livery coupons list")
)

const show = Command.make("show", { id, ...adminFlags }, (flags) =>
  printRecordFrom(
    flags,
    AdminCoupons.use((coupons) => coupons.get(flags.id)),
    { path: `/saas-coupons/${flags.id}` }
  )
).pipe(
  Command.withDescription("One coupon"),
  Command.withExamples([{ command: "livery coupons show 3", description: "Coupon 3" }])
)

const codeForm = "3 to 40 of A to Z, 0 to 9, `_` and `-`, and not `_` or `-` first"

/** The flags of fields, by the fields' names in the API. */
const flagNames: Readonly<Record<string, string>> = {
  percent_off: "--percent-off",
  amount_off: "--amount-off",
  currency: "--currency",
  duration_months: "--months",
  max_redemptions: "--max-redemptions",
  valid_until: "--valid-until",
  description: "--description"
}

/** The same error with the flags in place of the fields, and with the form of a code. */
const namingFlags = ({ issues }: InvalidInput) =>
  new InvalidInput({
    issues: issues.map((wrong) => ({
      ...wrong,
      field: flagNames[wrong.field] ?? wrong.field,
      ...(wrong.field === "code" && wrong.issue === "invalid" ? { accepted: codeForm } : {})
    }))
  })

const create = Command.make(
  "create",
  {
    code: Argument.String("code").pipe(Argument.withDescription(codeForm)),
    percent: Flag.Int("percent-off").pipe(Flag.optional, Flag.withDescription("Percent off an invoice")),
    amount: Flag.Finite("amount-off").pipe(Flag.optional, Flag.withDescription("An amount off an invoice")),
    currency: Flag.String("currency").pipe(Flag.optional, Flag.withDescription("The currency of the amount")),
    duration: Flag.Literals("duration", CouponDuration.literals).pipe(
      Flag.withDefault("once"),
      Flag.withDescription("The invoices that it reduces: the next one, those of some months, or all")
    ),
    months: Flag.Int("months").pipe(
      Flag.optional,
      Flag.withDescription("The number of months, for `--duration repeating`")
    ),
    redemptions: Flag.Int("max-redemptions").pipe(
      Flag.optional,
      Flag.withDescription("How many businesses can redeem it; by default, all")
    ),
    validUntil: Flag.String("valid-until").pipe(
      Flag.optional,
      Flag.withDescription("The last day on which a business can redeem it, YYYY-MM-DD")
    ),
    description: Flag.String("description").pipe(Flag.optional, Flag.withDescription("A note")),
    reason: reasonFlag,
    json: adminFlags.json
  },
  Effect.fn(function* (flags) {
    const input = decoded(SaasCouponInput, {
      code: flags.code,
      duration: flags.duration,
      percent_off: Option.getOrNull(flags.percent),
      amount_off: Option.getOrNull(flags.amount),
      currency: Option.getOrNull(flags.currency),
      duration_months: Option.getOrNull(flags.months),
      max_redemptions: Option.getOrNull(flags.redemptions),
      valid_until: Option.getOrNull(flags.validUntil),
      description: Option.getOrNull(flags.description)
    })
    const direct = Effect.flatMap(input, (coupon) =>
      AdminCoupons.use((coupons) => coupons.create(coupon))
    ).pipe(Effect.catchTag("InvalidInput", (error) => Effect.fail(namingFlags(error))))
    yield* printRecord(flags, yield* runOnDatabase(direct, flags))
  })
).pipe(
  Command.withDescription("Create a coupon, directly on the database"),
  Command.withExamples([
    { command: "livery coupons create WELCOME20 --percent-off 20", description: "20 % off once" },
    {
      command:
        "livery coupons create FIRST100 --percent-off 50 --max-redemptions 100 --valid-until 2026-12-31",
      description: "50 % off once, for the first 100 businesses of the year"
    }
  ])
)

const activation = (name: "activate" | "deactivate", description: string, example: string) =>
  Command.make(name, { id, reason: reasonFlag, json: adminFlags.json }, (flags) =>
    Effect.flatMap(
      runOnDatabase(
        AdminCoupons.use((coupons) => coupons.setActive(flags.id, name === "activate")),
        flags
      ),
      (coupon) => printRecord(flags, coupon)
    )
  ).pipe(
    Command.withDescription(description),
    Command.withExamples([{ command: `livery coupons ${name} 3`, description: example }])
  )

const activate = activation(
  "activate",
  "Let businesses redeem a coupon again, directly on the database",
  "Coupon 3 can be redeemed"
)

const deactivate = activation(
  "deactivate",
  "End a coupon for businesses that have not redeemed it, directly on the database",
  "No further business redeems coupon 3"
)

export const coupons = Command.make("coupons").pipe(
  Command.withDescription(descriptions.coupons),
  Command.withSubcommands([list, show, create, activate, deactivate])
)

/** `livery businesses …`: administration of businesses. */
import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import {
  AdminBusinessFilter,
  AdminBusinesses,
  AdminBusinessPatch,
  CreditsInput,
  SubscriptionStatus,
  SuspensionInput
} from "@livery/domain"
import {
  adminFlags,
  changeFlags,
  businessArgument,
  decoded,
  given,
  listFlags,
  printList,
  printRecordFrom
} from "./AdminCommand.ts"
import { confirm, yes } from "../../usage/Confirmation.ts"
import { descriptions } from "../../usage/Descriptions.ts"
import { InvalidUsage } from "../../usage/InvalidUsage.ts"

const id = businessArgument

const list = Command.make(
  "list",
  {
    search: Flag.String("search").pipe(
      Flag.optional,
      Flag.withDescription("A part of the name, the email or the slug")
    ),
    ...listFlags
  },
  (flags) => {
    const filters = given({ search: flags.search })
    return printList(flags, {
      name: "businesses",
      path: "/businesses",
      filters,
      direct: (page) =>
        Effect.flatMap(decoded(AdminBusinessFilter, filters), (filter) =>
          AdminBusinesses.use((businesses) => businesses.list(filter, page))
        ),
      columns: [
        ["business_id", "ID"],
        ["business_name", "NAME"],
        ["vendor_slug", "SLUG"],
        ["status", "STATUS"],
        ["subscription_plan_id", "PLAN"],
        ["email_credits", "CREDITS"],
        ["business_email", "EMAIL"]
      ]
    })
  }
).pipe(
  Command.withDescription("The businesses of the platform"),
  Command.withExamples([{ command: "livery businesses list --search acme", description: "Find a business" }])
)

const show = Command.make("show", { id, ...adminFlags }, (flags) =>
  printRecordFrom(
    flags,
    AdminBusinesses.use((businesses) => businesses.get(flags.id)),
    { path: `/businesses/${flags.id}` }
  )
).pipe(
  Command.withDescription("One business"),
  Command.withExamples([{ command: "livery businesses show 7 --json", description: "Business 7" }])
)

const usage = Command.make("usage", { id, ...adminFlags }, (flags) =>
  printRecordFrom(
    flags,
    AdminBusinesses.use((businesses) => businesses.usage(flags.id)),
    { path: `/businesses/${flags.id}/usage` }
  )
).pipe(
  Command.withDescription("How much of its plan a business uses"),
  Command.withExamples([{ command: "livery businesses usage 7", description: "Business 7" }])
)

const credits = Command.make(
  "credits",
  {
    id,
    credits: Argument.Int("credits").pipe(
      Argument.withDescription("How many to add; a negative number deducts")
    ),
    reason: Flag.String("reason").pipe(Flag.withDescription("The reason, for the audit log")),
    ...adminFlags
  },
  Effect.fn(function* ({ json, reason, url, ...flags }) {
    const payload = { credits: flags.credits, reason }
    const direct = Effect.flatMap(decoded(CreditsInput, payload), (input) =>
      AdminBusinesses.use((businesses) => businesses.addCredits(flags.id, input))
    )
    const call = { method: "POST", path: `/businesses/${flags.id}/credits`, payload } as const
    yield* printRecordFrom({ json, url }, direct, call)
  })
).pipe(
  Command.withDescription("Add email credits to a business, or deduct them"),
  Command.withExamples([
    { command: "livery businesses credits 7 500 --reason 'Welcome'", description: "Add 500" },
    { command: "livery businesses credits 7 --reason 'Misuse' -- -20", description: "Deduct 20" }
  ])
)

const setSuspended = (action: "suspend" | "activate", description: string) =>
  Command.make(
    action,
    { id, yes, ...changeFlags },
    Effect.fn(function* (flags) {
      if (action === "suspend")
        yield* confirm(
          `Suspend business ${flags.id}? Its people, keys and public pages are refused at once.`,
          flags.yes
        )
      const payload = { action }
      const direct = Effect.flatMap(decoded(SuspensionInput, payload), (input) =>
        AdminBusinesses.use((businesses) => businesses.setSuspended(flags.id, input))
      )
      const call = { method: "POST", path: `/businesses/${flags.id}/suspend`, payload } as const
      yield* printRecordFrom(flags, direct, call)
    })
  ).pipe(
    Command.withDescription(description),
    Command.withExamples([
      { command: `livery businesses ${action} 7 --reason 'Unpaid'`, description: `For business 7` }
    ])
  )

const optional = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.optional, Flag.withDescription(description))

/** The flags of `update` that change a field. */
const updateFlags = {
  name: optional("name", "Its name"),
  email: optional("email", "Its email"),
  slug: optional("slug", "Its part of public addresses"),
  plan: Flag.Int("plan").pipe(Flag.optional, Flag.withDescription("The id of its plan")),
  subscription: Flag.Literals("subscription", SubscriptionStatus.literals).pipe(
    Flag.optional,
    Flag.withDescription("The status of its subscription")
  ),
  subscriptionItem: optional(
    "subscription-item",
    "The item (si_…) of its subscription at the payment provider that is charged for its seats; empty for none"
  ),
  currency: optional("currency", "Its currency, as in ISO 4217"),
  timezone: optional("timezone", "Its time zone, as in the IANA database")
}

const updateFlagNames = Object.keys(updateFlags).map(
  (name) => `--${name.replaceAll(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`)}`
)

const update = Command.make(
  "update",
  { id, ...updateFlags, ...changeFlags },
  Effect.fn(function* (flags) {
    const payload = given({
      business_name: flags.name,
      business_email: flags.email,
      vendor_slug: flags.slug,
      subscription_plan_id: flags.plan,
      subscription_status: flags.subscription,
      subscription_item_id: flags.subscriptionItem,
      currency: flags.currency,
      timezone: flags.timezone
    })
    if (Object.keys(payload).length === 0)
      return yield* new InvalidUsage({
        reason: `Name at least one change: ${updateFlagNames.join(", ")}`,
        command: "livery businesses update"
      })
    const direct = Effect.flatMap(decoded(AdminBusinessPatch, payload), (changes) =>
      AdminBusinesses.use((businesses) => businesses.update(flags.id, changes))
    )
    const call = { method: "PATCH", path: `/businesses/${flags.id}`, payload } as const
    yield* printRecordFrom(flags, direct, call)
  })
).pipe(
  Command.withDescription("Change a business's name, address, plan, currency or time zone"),
  Command.withExamples([
    { command: "livery businesses update 7 --plan 2", description: "Move it to another plan" },
    {
      command: "livery businesses update 7 --subscription-item si_9",
      description: "Charge for its seats at the payment provider"
    }
  ])
)

export const businesses = Command.make("businesses").pipe(
  Command.withDescription(descriptions.businesses),
  Command.withSubcommands([
    list,
    show,
    usage,
    credits,
    setSuspended("suspend", "Suspend a business"),
    setSuspended("activate", "Reactivate a suspended business"),
    update
  ])
)

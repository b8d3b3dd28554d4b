/** `livery plans …`: the plans of the platform. */
import { Argument, Command, Flag } from "effect/cli"
import { AdminPlans } from "@livery/domain"
import { adminFlags, listFlags, printList, printRecordFrom, recordArgument } from "./AdminCommand.ts"
import { descriptions } from "../../usage/Descriptions.ts"

const list = Command.make(
  "list",
  {
    inactive: Flag.Boolean("include-inactive").pipe(
      Flag.withDefault(false),
      Flag.withDescription("Also list plans that are no longer offered")
    ),
    ...listFlags
  },
  (flags) =>
    printList(flags, {
      name: "plans",
      path: "/plans",
      filters: flags.inactive ? { include_inactive: true } : {},
      direct: (page) => AdminPlans.use((plans) => plans.list(flags.inactive, page)),
      columns: [
        ["plan_id", "ID"],
        ["code", "CODE"],
        ["name", "NAME"],
        ["cars", "CARS"],
        ["drivers", "DRIVERS"],
        ["invoices", "INVOICES"],
        ["seat_price", "SEAT"],
        ["currency", "CURRENCY"],
        ["active", "ACTIVE"]
      ]
    })
).pipe(
  Command.withDescription("The plans that are offered; `-` means no limit"),
  Command.withExamples([{ command: "livery plans list --include-inactive", description: "All plans" }])
)

const id = recordArgument("plan-id").pipe(
  Argument.withDescription("The id of the plan, as in livery plans list")
)

const show = Command.make("show", { id, ...adminFlags }, (flags) =>
  printRecordFrom(
    flags,
    AdminPlans.use((plans) => plans.get(flags.id)),
    { path: `/plans/${flags.id}` }
  )
).pipe(
  Command.withDescription("One plan"),
  Command.withExamples([{ command: "livery plans show 2 --json", description: "Plan 2" }])
)

export const plans = Command.make("plans").pipe(
  Command.withDescription(descriptions.plans),
  Command.withSubcommands([list, show])
)

/** `livery audit …`: the audit log. */
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { AdminAudit, AuditFilter, BusinessId } from "@livery/domain"
import { decoded, given, listFlags, printList } from "./AdminCommand.ts"
import { descriptions } from "../../usage/Descriptions.ts"

const filter = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.optional, Flag.withDescription(description))

const list = Command.make(
  "list",
  {
    actor: filter("actor", "Only changes by this author: `user:17`, `cli:anna`"),
    action: filter("action", "Only these actions: `business.suspended`"),
    subject: filter("subject", "Only changes of this record: `business:3`"),
    business: Flag.Int("business").pipe(
      Flag.withSchema(BusinessId),
      Flag.optional,
      Flag.withDescription("Only changes that concern this business")
    ),
    ...listFlags
  },
  ({ action, actor, business, subject, ...flags }) => {
    const filters = given({ actor, action, subject })
    const businessId = Option.getOrUndefined(business)
    return printList(flags, {
      name: "entries",
      path: "/audit",
      filters: { ...filters, business_id: businessId },
      direct: (page) =>
        Effect.flatMap(decoded(AuditFilter, filters), (filter) =>
          AdminAudit.use((audit) => audit.list({ ...filter, businessId }, page))
        ),
      columns: [
        ["at", "TIME"],
        ["actor", "AUTHOR"],
        ["action", "ACTION"],
        ["subject", "SUBJECT"],
        ["before", "BEFORE"],
        ["after", "AFTER"],
        ["reason", "REASON"]
      ],
      pipedWidth: 200
    })
  }
).pipe(
  Command.withDescription(
    "The administrative changes, newest first. Long values are cut; `--json` has them whole"
  ),
  Command.withExamples([
    { command: "livery audit list --business 7", description: "Changes of one business" }
  ])
)

export const audit = Command.make("audit").pipe(
  Command.withDescription(descriptions.audit),
  Command.withSubcommands([list])
)

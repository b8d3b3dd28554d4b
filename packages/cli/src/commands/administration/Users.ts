/** `livery users …`: administration of users. */
import { Console, Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import {
  AdminPasswordInput,
  AdminUserFilter,
  AdminUsers,
  BusinessAssignmentBody,
  NewUserInput,
  UserId
} from "@livery/domain"
import {
  adminFlags,
  changeFlags,
  businessArgument,
  decoded,
  given,
  listFlags,
  printList,
  printRecord,
  printRecordFrom,
  recordFrom
} from "./AdminCommand.ts"
import { confirm, yes } from "../../usage/Confirmation.ts"
import { descriptions } from "../../usage/Descriptions.ts"
import { passwordFlag, passwordOf } from "../../terminal/StandardInput.ts"

const id = Argument.Int("user-id").pipe(
  Argument.withSchema(UserId),
  Argument.withDescription("The id of the user, as in livery users list")
)

const list = Command.make(
  "list",
  {
    search: Flag.String("search").pipe(
      Flag.optional,
      Flag.withDescription("A part of the name or the email")
    ),
    accountType: Flag.Literals("account-type", ["A", "S"]).pipe(
      Flag.optional,
      Flag.withDescription("A for admins, S for super-admins; by default, all users, also drivers")
    ),
    ...listFlags
  },
  ({ accountType, search, ...flags }) => {
    const filters = given({ search, account_type: accountType })
    return printList(flags, {
      name: "users",
      path: "/users",
      filters,
      direct: (page) =>
        Effect.flatMap(decoded(AdminUserFilter, filters), (filter) =>
          AdminUsers.use((users) => users.list(filter, page))
        ),
      columns: [
        ["id", "ID"],
        ["name", "NAME"],
        ["email", "EMAIL"],
        ["account_type", "TYPE"],
        ["email_verified", "VERIFIED"],
        ["business_ids", "BUSINESSES"]
      ]
    })
  }
).pipe(
  Command.withDescription("The users of the platform"),
  Command.withExamples([
    { command: "livery users list --search ada --account-type S", description: "Find a super-admin" }
  ])
)

const show = Command.make("show", { id, ...adminFlags }, (flags) =>
  printRecordFrom(
    flags,
    AdminUsers.use((users) => users.get(flags.id)),
    { path: `/users/${flags.id}` }
  )
).pipe(
  Command.withDescription("One user"),
  Command.withExamples([{ command: "livery users show 17 --json", description: "User 17" }])
)

const create = Command.make(
  "create",
  {
    name: Flag.String("name").pipe(Flag.withDescription("The person's name")),
    email: Flag.String("email").pipe(
      Flag.withDescription("The email to sign in with; it counts as verified")
    ),
    password: passwordFlag,
    accountType: Flag.Literals("account-type", ["A", "S"]).pipe(
      Flag.withDefault("A"),
      Flag.withDescription("A for an admin, S for a super-admin")
    ),
    ...changeFlags
  },
  Effect.fn(function* (flags) {
    const { accountType, email, name } = flags
    const payload = { name, email, password: yield* passwordOf(flags.password), account_type: accountType }
    const direct = Effect.flatMap(decoded(NewUserInput, payload), (input) =>
      AdminUsers.use((users) => users.create(input))
    )
    const user = yield* recordFrom(flags, direct, { method: "POST", path: "/users", payload })
    const number = "id" in user ? String(user.id) : ""
    yield* flags.json
      ? printRecord(flags, user)
      : Console.log(`Created user ${number}: ${name} <${email}>, ${accountType}`)
  })
).pipe(
  Command.withDescription("Create an admin or a super-admin"),
  Command.withExamples([
    {
      command: "livery users create --name Ada --email ada@example.com --account-type S < password.txt",
      description: "A super-admin, with the password from a file"
    }
  ])
)

const resetPassword = Command.make(
  "reset-password",
  { id, password: passwordFlag, yes, ...changeFlags },
  Effect.fn(function* (flags) {
    yield* confirm(`Set a new password for user ${flags.id}, and end all of the user's sessions?`, flags.yes)
    const payload = { password: yield* passwordOf(flags.password) }
    const reset: object = { reset: true }
    const direct = Effect.flatMap(decoded(AdminPasswordInput, payload), (input) =>
      Effect.as(
        AdminUsers.use((users) => users.resetPassword(flags.id, input)),
        reset
      )
    )
    const path = `/users/${flags.id}/password-reset`
    const record = yield* recordFrom(flags, direct, { method: "POST", path, payload })
    yield* flags.json
      ? printRecord(flags, record)
      : Console.log(`User ${flags.id} has a new password; all sessions have ended`)
  })
).pipe(
  Command.withDescription("Set a user's password, and end all of the user's sessions"),
  Command.withExamples([
    {
      command: "livery users reset-password 17 --yes < password.txt",
      description: "The password from a file"
    }
  ])
)

const assignment = (action: "assign" | "unassign", description: string) =>
  Command.make(
    action,
    { id, business: businessArgument, yes, ...changeFlags },
    Effect.fn(function* (flags) {
      if (action === "unassign")
        yield* confirm(
          `Remove user ${flags.id} from business ${flags.business}? Access ends at once.`,
          flags.yes
        )
      const payload = { business_id: flags.business, action }
      const direct = Effect.flatMap(decoded(BusinessAssignmentBody, payload), (input) =>
        AdminUsers.use((users) => users.assignBusiness(flags.id, input))
      )
      const path = `/users/${flags.id}/business-assignment`
      yield* printRecordFrom(flags, direct, { method: "POST", path, payload })
    })
  ).pipe(
    Command.withDescription(description),
    Command.withExamples([{ command: `livery users ${action} 17 7`, description: "User 17 and business 7" }])
  )

export const users = Command.make("users").pipe(
  Command.withDescription(descriptions.users),
  Command.withSubcommands([
    list,
    show,
    create,
    resetPassword,
    assignment("assign", "Allow a user to act for a business, as an owner"),
    assignment("unassign", "End a user's permission to act for a business")
  ])
)

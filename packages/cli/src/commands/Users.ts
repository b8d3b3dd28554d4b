/** `livery users …`: administration of accounts. */
import { Console, Effect, Option, Redacted, Schema, Stream } from "effect"
import { Command, Flag } from "effect/cli"
import { Administration, fieldIssues, InvalidInput, NewUserInput } from "@livery/domain"
import { Stdio } from "effect"
import { actor } from "../Actor.ts"
import { Livery } from "../Composition.ts"
import { refused } from "../Refusal.ts"

const json = Flag.Boolean("json").pipe(Flag.withDefault(false), Flag.withDescription("Print JSON"))

const decode = Schema.decodeUnknownEffect(NewUserInput)

/** The first line of standard input: unlike an argument, it is not visible in the list of processes. */
const fromStandardInput = Effect.gen(function* () {
  const stdio = yield* Stdio.Stdio
  const text = yield* Stream.mkString(Stream.decodeText(stdio.stdin))
  return text.split(/\r?\n/u, 1)[0] ?? ""
}).pipe(Effect.orDie)

const create = Command.make(
  "create",
  {
    name: Flag.String("name").pipe(Flag.withDescription("The person's name")),
    email: Flag.String("email").pipe(
      Flag.withDescription("The email to sign in with; it counts as verified")
    ),
    password: Flag.Redacted("password").pipe(
      Flag.optional,
      Flag.withDescription("The password; without it, the first line of standard input")
    ),
    accountType: Flag.Literals("account-type", ["A", "S"]).pipe(
      Flag.withDefault("A"),
      Flag.withDescription("A for an admin, S for a super-admin")
    ),
    json
  },
  Effect.fn(function* ({ accountType, email, json: asJson, name, password }) {
    const plain = Option.isSome(password) ? Redacted.value(password.value) : yield* fromStandardInput
    const input = yield* decode(
      { name, email, password: plain, account_type: accountType },
      { errors: "all", reportInput: true }
    ).pipe(Effect.mapError(({ issue }) => refused(new InvalidInput({ issues: fieldIssues(issue) }))))
    const user = yield* Administration.use((administration) =>
      administration.createUser(input, actor())
    ).pipe(Effect.mapError(refused), Effect.provide(Livery))
    return yield* Console.log(
      asJson
        ? JSON.stringify(user)
        : `Created user ${user.id}: ${user.name} <${user.email}>, ${user.account_type}`
    )
  })
).pipe(Command.withDescription("Create an admin or a super-admin"))

export const users = Command.make("users").pipe(
  Command.withDescription("Accounts"),
  Command.withSubcommands([create])
)

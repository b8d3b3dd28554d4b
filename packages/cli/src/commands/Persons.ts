/** `livery persons erase`: erases a person on request. */
import { Console, Effect, Option, type Schema } from "effect"
import { Command, Flag } from "effect/cli"
import {
  BusinessId,
  CustomerId,
  DriverId,
  Erasures,
  ErasureInput,
  PersonErasureInput,
  UserId
} from "@livery/domain"
import { adminFlags, decoded, printRecord, recordFrom } from "../AdminCommand.ts"
import { confirm, yes } from "../Confirmation.ts"
import { descriptions } from "../Descriptions.ts"
import { progressBar } from "../Progress.ts"
import { CommandRefused } from "../Refusal.ts"

const idFlag = <A extends number>(name: string, schema: Schema.Codec<A, number>, description: string) =>
  Flag.Int(name).pipe(Flag.withSchema(schema), Flag.optional, Flag.withDescription(description))

const textFlag = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.optional, Flag.withDescription(description))

const flags = {
  business: idFlag("business", BusinessId, "The business of a customer, driver or contact"),
  customer: idFlag("customer", CustomerId, "The customer's id; also of a deleted one"),
  driver: idFlag("driver", DriverId, "The driver's id; also of a deleted one"),
  user: idFlag("user", UserId, "The id of an account, without --business"),
  email: textFlag("email", "The email of a customer, a passenger or a booker"),
  phone: textFlag("phone", "The phone number of a customer, a passenger or a booker"),
  force: Flag.Boolean("force").pipe(
    Flag.withDefault(false),
    Flag.withDescription("Also if trips, quotes or bookings are open, or invoices unpaid")
  ),
  reason: textFlag("reason", "Why, for the audit log; it must not identify the person"),
  yes,
  ...adminFlags
}

const wrongUsage = () =>
  new CommandRefused({
    type: "invalid_request",
    reason: "Name one person: --user, or --business with --customer, --driver, or --email and --phone"
  })

const erase = Command.make(
  "erase",
  flags,
  Effect.fn(function* (given) {
    const { business, force, user } = given
    const reason = Option.getOrNull(given.reason)
    const person = {
      customer_id: Option.getOrNull(given.customer),
      driver_id: Option.getOrNull(given.driver),
      email: Option.getOrNull(given.email),
      phone: Option.getOrNull(given.phone)
    }
    const hasPerson = Object.values(person).some((value) => value !== null)
    if (Option.isSome(user) === Option.isSome(business) || Option.isSome(business) !== hasPerson)
      return yield* wrongUsage()
    const bar = progressBar("Erasing")
    const terms = { force, reason }
    const direct = Effect.gen(function* () {
      const erasures = yield* Erasures
      if (Option.isSome(user))
        return yield* erasures.user(user.value, yield* decoded(ErasureInput, terms), bar.update)
      const input = yield* decoded(PersonErasureInput, { ...person, ...terms })
      return yield* erasures.person(Option.getOrThrow(business), input, bar.update)
    })
    yield* confirm("Erase this person? It cannot be undone.", given.yes)
    const call = Option.isSome(user)
      ? { path: `/users/${user.value}/erase`, payload: terms }
      : {
          path: `/businesses/${Option.getOrThrow(business)}/persons/erase`,
          payload: { ...person, ...terms }
        }
    const record = yield* recordFrom(given, direct, { method: "POST", ...call }).pipe(
      Effect.ensuring(Effect.sync(bar.end)),
      Effect.mapError((error) =>
        error instanceof CommandRefused && error.type === "confirmation_required"
          ? new CommandRefused({
              type: error.type,
              reason: error.reason.replace(
                'repeat the request with "force": true',
                "repeat the command with --force"
              )
            })
          : error
      )
    )
    yield* printRecord(given, record)
    if (!given.json)
      yield* Console.log("\nBackups and exports from before still contain the person: see docs/operations.md")
  })
).pipe(
  Command.withDescription(
    "Erase a person from all records but issued invoices. After an interruption, the same command continues"
  ),
  Command.withExamples([
    {
      command: 'livery persons erase --business 7 --customer 12 --reason "Ticket 4711"',
      description: "A customer of business 7, after a question"
    },
    {
      command: "livery persons erase --business 7 --email ada@example.com --phone '+41 44 668 18 00' --yes",
      description: "A passenger without a record of their own"
    },
    { command: "livery persons erase --user 17 --yes --json", description: "An account" }
  ])
)

export const persons = Command.make("persons").pipe(
  Command.withDescription(descriptions.persons),
  Command.withSubcommands([erase])
)

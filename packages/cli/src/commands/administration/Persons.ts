/** `livery persons erase`: erases a person on request. */
import { Console, Effect, Option, type Schema } from "effect"
import { Command, Flag } from "effect/cli"
import {
  BusinessId,
  CustomerId,
  DriverId,
  Erasures,
  ErasureInput,
  type OnProgress,
  PersonErasureInput,
  UserId
} from "@livery/domain"
import { adminFlags, decoded, printRecord, recordFrom } from "./AdminCommand.ts"
import { confirm, yes } from "../../usage/Confirmation.ts"
import { descriptions } from "../../usage/Descriptions.ts"
import { progressBar } from "../../terminal/Progress.ts"
import { InvalidUsage } from "../../usage/InvalidUsage.ts"
import { CommandRefused } from "../../usage/Refusal.ts"

const idFlag = <A extends number>(name: string, schema: Schema.Codec<A, number>, description: string) =>
  Flag.Int(name).pipe(Flag.withSchema(schema), Flag.optional, Flag.withDescription(description))

const textFlag = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.optional, Flag.withDescription(description))

const flags = {
  business: idFlag("business", BusinessId, "The business of a customer, driver or contact"),
  customer: idFlag("customer", CustomerId, "The id of a customer, also of a deleted one"),
  driver: idFlag("driver", DriverId, "The id of a driver, also of a deleted one"),
  user: idFlag("user", UserId, "The id of a user, without --business"),
  email: textFlag("email", "The email of a customer, a passenger or a booker"),
  phone: textFlag("phone", "The phone number of a customer, a passenger or a booker"),
  force: Flag.Boolean("force").pipe(
    Flag.withDefault(false),
    Flag.withDescription("Erase the person even if trips, quotes or bookings are open, or invoices unpaid")
  ),
  reason: textFlag("reason", "The reason, for the audit log; it must not identify the person"),
  yes,
  ...adminFlags
}

const wrongUsage = () =>
  new InvalidUsage({
    reason: "Name one person: --user, or --business with --customer, --driver, or --email and --phone",
    command: "livery persons erase"
  })

/** The fields of the input that name a person of a business. */
interface PersonFields {
  readonly customer_id: CustomerId | null
  readonly driver_id: DriverId | null
  readonly email: string | null
  readonly phone: string | null
}

/** The rest of the input: whether open work is erased too, and the reason. */
interface Terms {
  readonly force: boolean
  readonly reason: string | null
}

const eraseUser = (user: UserId, terms: Terms, onProgress: OnProgress) => ({
  direct: Effect.flatMap(decoded(ErasureInput, terms), (input) =>
    Erasures.use((erasures) => erasures.user(user, input, onProgress))
  ),
  path: `/users/${user}/erase`,
  payload: terms
})

const erasePerson = (business: BusinessId, person: PersonFields, terms: Terms, onProgress: OnProgress) => {
  const payload = { ...person, ...terms }
  return {
    direct: Effect.flatMap(decoded(PersonErasureInput, payload), (input) =>
      Erasures.use((erasures) => erasures.person(business, input, onProgress))
    ),
    path: `/businesses/${business}/persons/erase`,
    payload
  }
}

/** The refusal of an unconfirmed erasure names the body's field. On the command line, it names the flag. */
const namingForce = (refusal: CommandRefused) =>
  refusal.type === "confirmation_required"
    ? new CommandRefused({
        type: refusal.type,
        reason: refusal.reason.replace(
          'repeat the request with "force": true',
          "repeat the command with --force"
        )
      })
    : refusal

const erase = Command.make(
  "erase",
  flags,
  Effect.fn(function* (given) {
    const business = Option.getOrNull(given.business)
    const user = Option.getOrNull(given.user)
    const person = {
      customer_id: Option.getOrNull(given.customer),
      driver_id: Option.getOrNull(given.driver),
      email: Option.getOrNull(given.email),
      phone: Option.getOrNull(given.phone)
    }
    const terms = { force: given.force, reason: Option.getOrNull(given.reason) }
    const hasPerson = Object.values(person).some((value) => value !== null)
    const bar = progressBar("Erasing")
    const erasure =
      user !== null && business === null && !hasPerson
        ? eraseUser(user, terms, bar.update)
        : business !== null && user === null && hasPerson
          ? erasePerson(business, person, terms, bar.update)
          : undefined
    if (erasure === undefined) return yield* wrongUsage()
    yield* confirm("Erase this person? It cannot be undone.", given.yes)
    const { direct, path, payload } = erasure
    const record = yield* recordFrom(given, direct, { method: "POST", path, payload }).pipe(
      Effect.ensuring(Effect.sync(bar.end)),
      Effect.mapError((error) => (error instanceof CommandRefused ? namingForce(error) : error))
    )
    yield* printRecord(given, record)
    if (!given.json)
      yield* Console.log(
        "\nEarlier backups and exports still contain the person: see docs/operations/data.md"
      )
  })
).pipe(
  Command.withDescription(
    "Erase a person from all records except issued invoices. After an interruption, the workers of a server complete it; the same command begins it again"
  ),
  Command.withExamples([
    {
      command: 'livery persons erase --business 7 --customer 12 --reason "Ticket 4711"',
      description: "A customer of business 7; the command asks for confirmation"
    },
    {
      command: "livery persons erase --business 7 --email ada@example.com --phone '+41 44 668 18 00' --yes",
      description: "A passenger who is not a customer"
    },
    { command: "livery persons erase --user 17 --yes --json", description: "A user" }
  ])
)

export const persons = Command.make("persons").pipe(
  Command.withDescription(descriptions.persons),
  Command.withSubcommands([erase])
)

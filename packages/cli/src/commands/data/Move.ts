/** `livery move`: moves a business to another installation while both run (docs/operations/data.md). */
import { Console, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { BusinessId, BusinessTransfer, type MovePlan } from "@livery/domain"
import { makeMoveTarget } from "../../remote/MoveTarget.ts"
import { progressBar } from "../../terminal/Progress.ts"
import { confirm, yes } from "../../usage/Confirmation.ts"
import { descriptions } from "../../usage/Descriptions.ts"
import { InvalidUsage } from "../../usage/InvalidUsage.ts"
import { json } from "../../usage/JsonFlag.ts"
import { Settings } from "../../settings/Settings.ts"
import { runOnDatabase } from "../administration/AdminCommand.ts"

/** The fewest connections: one holds the lock of the move while another one reads the snapshot. */
const leastConnections = 2

const flag = (name: string, description: string) =>
  Flag.Boolean(name).pipe(Flag.withDefault(false), Flag.withDescription(description))

const counted = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts).flatMap(([kind, count]) => (count === 0 ? [] : [`  ${kind}: ${count}`]))

const lines = (title: string, found: ReadonlyArray<string>) => [
  title,
  ...(found.length > 0 ? found : ["  none"])
]

/** What a move does, for people. */
const planText = (business: number, plan: MovePlan, url: string) => [
  `Business ${business}, ${plan.business_name} (${plan.slug})${plan.state === null ? "" : `: ${plan.state}`}`,
  ...lines(`Moves to ${url}, ${plan.rows} rows:`, [
    ...counted(plan.tables),
    `  api_keys: ${plan.api_keys}`,
    `  webhook_endpoints: ${plan.webhook_endpoints}, with their secrets`
  ]),
  "Stays the same: the ids of all these records, invoice numbers, API keys, and the links of trips, quotes, invoices, drivers and calendars",
  "Changes: the id of the business, and the authors in timelines (user:2 becomes imported:user:2)",
  ...lines("Stays behind:", counted(plan.stays)),
  "  also sessions, the logo, the address for text messages and its settings, and the payment provider's account of this installation",
  ...lines("Must end before the move (deliveries: before --finish):", counted({ ...plan.unfinished })),
  "The business is used while it is copied. At the end, its changes are refused with 503 and Retry-After while what changed is copied again; it can still be read. Then this installation redirects"
]

export const move = Command.make(
  "move",
  {
    business: Flag.Int("business").pipe(
      Flag.withSchema(BusinessId),
      Flag.withDescription("The id of the business, as in livery businesses list")
    ),
    to: Flag.String("to").pipe(
      Flag.optional,
      Flag.withDescription(
        "The public address of the other installation, after `livery login --url` as its super-admin"
      )
    ),
    slug: Flag.String("slug").pipe(
      Flag.optional,
      Flag.withDescription("Another slug for the booking page, if it is taken there")
    ),
    plan: flag("plan", "Say what moves, what changes and what stays, and change nothing"),
    abort: flag("abort", "Give up a move that is not complete, and discard the copy"),
    withoutTarget: flag(
      "without-target",
      "With --abort: the target is lost, and a copy that it may have is not discarded"
    ),
    finish: flag("finish", "Erase the data of a business that has moved; the redirects stay"),
    open: flag("open", "On the target: use a business that has arrived completely, and whose source is lost"),
    discard: flag(
      "discard",
      "On the target: erase a business that has not been opened, and whose source is lost"
    ),
    yes,
    json
  },
  Effect.fn(function* (flags) {
    const { abort, business, discard, finish, json: asJson, open, plan, withoutTarget } = flags
    const to = Option.getOrUndefined(flags.to)
    const slug = Option.getOrUndefined(flags.slug)
    const print = (record: object, text: ReadonlyArray<string>) =>
      Console.log(asJson ? JSON.stringify(record) : text.join("\n"))
    const ends = [abort, finish, open, discard].filter(Boolean).length
    if (ends > 1 || (ends === 1 && plan) || (ends === 0 && to === undefined) || (withoutTarget && !abort))
      return yield* new InvalidUsage({
        reason:
          "Name --to, with or without --plan, or one of --abort, --finish, --open and --discard; --without-target goes with --abort",
        command: "livery move"
      })
    const { databasePool, databaseUrl } = yield* Settings
    if (databaseUrl !== undefined && databasePool < leastConnections)
      return yield* new InvalidUsage({
        reason: `A move needs ${leastConnections} connections to the database at once: set DATABASE_POOL to ${leastConnections} or more`,
        command: "livery move"
      })
    if (open) {
      yield* confirm(
        `Open business ${business} here? Only do so if its source is lost: a source that still runs may take changes of it, too.`,
        flags.yes
      )
      const { slug: opened } = yield* runOnDatabase(
        BusinessTransfer.use(({ arrivals }) => arrivals.openWithoutSource(business))
      )
      return yield* print({ business_id: business, slug: opened, opened: true }, [
        `Business ${business} is used here from now on. Give it its members with livery users assign`
      ])
    }
    if (discard) {
      yield* confirm(
        `Erase business ${business} here, which has not been opened? Only its source has it then, if that still runs.`,
        flags.yes
      )
      yield* runOnDatabase(BusinessTransfer.use(({ arrivals }) => arrivals.discardWithoutSource(business)))
      return yield* print({ business_id: business, discarded: true }, [`Business ${business} is erased here`])
    }
    if (abort) {
      yield* runOnDatabase(
        BusinessTransfer.use(({ moves }) =>
          moves.abort(
            business,
            withoutTarget
              ? null
              : (url) => (step) => Effect.flatMap(makeMoveTarget(url), ({ send }) => send(step))
          )
        )
      )
      return yield* print({ business_id: business, aborted: true, copy_discarded: !withoutTarget }, [
        withoutTarget
          ? `Business ${business} stays here and takes changes again. A copy that the target may have is not discarded: if the target runs again, livery move --discard does that there`
          : `Business ${business} stays here and takes changes again. Its copy is discarded`
      ])
    }
    if (finish) {
      yield* confirm(`Erase the data of business ${business} here? Only its new home has it then.`, flags.yes)
      yield* runOnDatabase(BusinessTransfer.use(({ moves }) => moves.finish(business)))
      return yield* print({ business_id: business, finished: true }, [
        `The data of business ${business} is erased here. Its links, keys and members are still told the new address`
      ])
    }
    const { address, send } = yield* makeMoveTarget(to ?? "")
    if (plan) {
      const made = yield* runOnDatabase(
        BusinessTransfer.use(({ moves }) =>
          Effect.tap(moves.plan(business), () => moves.check({ businessId: business, send, slug }))
        )
      )
      return yield* print(made, planText(business, made, address))
    }
    yield* confirm(
      `Move business ${business} to ${address}? At the end of the copy, it takes no changes until it is there.`,
      flags.yes
    )
    const bar = progressBar("Moving")
    const options = { businessId: business, url: address, slug, send, onProgress: bar.update }
    const moved = yield* runOnDatabase(
      Effect.gen(function* () {
        const { moves } = yield* BusinessTransfer
        if ((yield* moves.plan(business)).state === null) yield* moves.check(options)
        const moved = yield* moves.move(options)
        bar.end()
        yield* print(moved, [
          `Business ${business} is business ${moved.business_id} of ${address}, with ${moved.rows} rows, equal in number and checksum`,
          `It took no changes for ${(moved.paused_ms / 1000).toFixed(1)} s. Its booking page is ${address}/book/${moved.slug}`,
          "Give it its members there with livery users assign, and later erase its data here with livery move --finish"
        ])
        yield* moves.settle(business)
        return moved
      })
    ).pipe(Effect.ensuring(Effect.sync(bar.end)))
    return moved
  }, Effect.asVoid)
).pipe(
  Command.withDescription(descriptions.move),
  Command.withExamples([
    {
      command: "livery move --business 7 --to https://two.livery.example --plan",
      description: "What moves, what changes and what stays"
    },
    {
      command: "livery move --business 7 --to https://two.livery.example",
      description: "After an interruption, the same command continues"
    }
  ])
)

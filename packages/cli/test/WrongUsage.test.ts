import { assert, it, vi } from "@effect/vitest"
import { Console, Effect } from "effect"
import { exitCode, reported } from "../src/Reported.ts"

/** Runs a command line; returns its exit code, and the lines on standard error. */
const outcomeOf = Effect.fnUntraced(function* (args: ReadonlyArray<string>) {
  const lines: Array<string> = []
  const write = process.stderr.write
  process.stderr.write = (text: string | Uint8Array) => lines.push(String(text).trimEnd()) > 0
  const exit = yield* reported(args).pipe(
    Effect.provideService(Console.Console, { ...console, error: (text: string) => lines.push(text) }),
    Effect.exit,
    Effect.ensuring(Effect.sync(() => Object.assign(process.stderr, { write })))
  )
  return { code: exitCode(exit, false), lines }
})

// Vitest sets it to the path of its server.
vi.stubEnv("BASE_URL", "http://localhost:3000")

const usage = "See: livery"

for (const [args, line] of [
  [
    ["businesses", "update", "3"],
    "Name at least one change: --name, --email, --slug, --plan, --subscription, --subscription-item, --currency, " +
      `--timezone. ${usage} businesses update --help`
  ],
  [
    ["businesses", "update", "3", "--reason", "x", "--url", "http://127.0.0.1:1"],
    "Name at least one change: --name, --email, --slug, --plan, --subscription, --subscription-item, --currency, " +
      `--timezone. ${usage} businesses update --help`
  ],
  [
    ["listen", "--forward-to", "nope"],
    'Invalid value for flag --forward-to: "nope". Expected an http or https address, such as ' +
      `http://localhost:8080/webhooks. ${usage} listen --help`
  ],
  [
    ["trigger", "trip.created", "--forward-to", "localhost:8080/hook"],
    'Invalid value for flag --forward-to: "localhost:8080/hook". Expected an http or https address, such as ' +
      `http://localhost:8080/webhooks. ${usage} trigger --help`
  ],
  [
    ["businesses", "list", "--page", "0"],
    `Invalid value for flag --page: "0". Expected a whole number from 1. ${usage} businesses list --help`
  ],
  [
    ["businesses", "list", "--page", "1000001"],
    `Invalid value for flag --page: "1000001". Expected at most 1000000. ${usage} businesses list --help`
  ],
  [
    ["businesses", "show", "0"],
    `Invalid value for argument <business-id>: "0". Expected a value greater than 0. ${usage} businesses show --help`
  ],
  [
    ["coupons", "show", "0"],
    `Invalid value for argument <coupon-id>: "0". Expected a value greater than 0. ${usage} coupons show --help`
  ],
  [
    ["invoices", "void", "0"],
    `Invalid value for argument <invoice-id>: "0". Expected a value greater than 0. ${usage} invoices void --help`
  ],
  [
    ["persons", "erase"],
    "Name one person: --user, or --business with --customer, --driver, or --email and --phone. " +
      `${usage} persons erase --help`
  ],
  [
    ["plans", "show", "0", "--url", "http://127.0.0.1:1"],
    `Invalid value for argument <plan-id>: "0". Expected a value greater than 0. ${usage} plans show --help`
  ]
] as const)
  it.live(`exits with 2 and names the values that are accepted: ${args.join(" ")}`, () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* outcomeOf(args), { code: 2, lines: [line] })
    })
  )

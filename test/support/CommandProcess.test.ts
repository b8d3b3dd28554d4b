import { afterAll, assert, beforeAll, it } from "vitest"
import { runCommand } from "./CommandProcess.ts"
import { type Installation, installation } from "./Installation.ts"
import type { Outcome } from "./Program.ts"

let place: Installation
beforeAll(async () => {
  place = await installation()
  // Its database runs on between the commands.
  await place.serve()
  const made = await place.command(["demo"])
  assert.strictEqual(made.code, 0, made.stderr)
})
afterAll(() => place.remove())

/** An outcome without what `livery doctor` measures anew each time: how far the clocks are apart. */
const comparable = ({ stdout, ...outcome }: Outcome) => ({
  ...outcome,
  stdout: stdout.replace(/\d+ ms apart/u, "some ms apart")
})

it.for([
  [["businesses", "list"], 0],
  [["businesses", "show", "999"], 1],
  [["businesses", "suspend", "1"], 1],
  [["users", "reset-password", "1", "--yes"], 1, { input: "short\n" }],
  [["users", "create", "--name", "A", "--email", "a@b.example", "--account-type", "D"], 2],
  [["users"], 2],
  [["users", "create", "--help"], 0],
  [["--completions", "bash"], 0],
  [["doctor"], 1, { settings: { SMTP_URL: "smtp://127.0.0.1:1", LOG_LEVEL: "debug" } }],
  [["serve"], 2, { settings: { PORT: "abc" } }],
  [["serve"], 2, { settings: { DATABASE_URL: "postgresql://me:hunter2-hunter2@h:99999/x" } }]
] as const)("a command has the outcome of the executable: %j", async ([args, code, options = {}]) => {
  const outcome = await place.run(args, options)
  assert.strictEqual(outcome.code, code, outcome.stderr)
  assert.deepStrictEqual(comparable(await place.command(args, options)), comparable(outcome))
})

it("a command has its own variables and its own input", async () => {
  const wrong = { environment: { PORT: "nonsense" } }
  assert.strictEqual((await runCommand(["plans", "list"], wrong)).code, 2)
  const user = ["users", "create", "--name", "A", "--email", "a@b.example"]
  const outcomes = await Promise.all([
    place.command(user),
    place.command(user, { input: "bletchley park\n" })
  ])
  assert.deepStrictEqual(
    outcomes.map(({ code }) => code),
    [1, 0]
  )
})

import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, it, vi } from "@effect/vitest"
import { type Cause, Console, Effect, Option, Queue, Terminal } from "effect"
import { run } from "../src/CommandLine.ts"
import { descriptions } from "../src/usage/Descriptions.ts"

// Vitest sets it to the path of its server.
vi.stubEnv("BASE_URL", "http://localhost:3000")

/** What the wizard prints to a person who presses these keys and then closes the input. */
const wizard = Effect.fnUntraced(function* (args: ReadonlyArray<string>, keys: ReadonlyArray<string>) {
  const printed: Array<string> = []
  const input = yield* Queue.unbounded<Terminal.UserInput, Cause.Done>()
  for (const name of keys)
    yield* Queue.offer(input, {
      input: Option.none(),
      key: { name, ctrl: false, meta: false, shift: false }
    })
  yield* Queue.end(input)
  const terminal = Terminal.make({
    columns: Effect.succeed(80),
    rows: Effect.succeed(40),
    size: Effect.die("not used"),
    readInput: Effect.succeed(input),
    readLine: Effect.die("not used"),
    display: (text) => Effect.sync(() => printed.push(text))
  })
  yield* run(args).pipe(
    Effect.provideService(Terminal.Terminal, terminal),
    Effect.provideService(Console.Console, { ...console, log: (text: string) => printed.push(text) }),
    Effect.provide(NodeServices.layer)
  )
  return printed.join("\n")
})

for (const args of [["--wizard"], ["--wizard=true"]])
  it.live(`livery ${args.join(" ")} asks for the flags of the command that is chosen`, () =>
    Effect.gen(function* () {
      const down = Object.keys(descriptions).indexOf("doctor")
      const printed = yield* wizard(args, [...Array.from({ length: down }, () => "down"), "enter"])
      assert.include(printed, "--json")
      assert.notInclude(printed, "USAGE")
    })
  )

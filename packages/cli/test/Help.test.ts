import * as NodeServices from "@effect/platform-node/NodeServices"
import { CliOutput, type HelpDoc } from "effect/cli"
import { assert, it, vi } from "@effect/vitest"
import { Effect, Option } from "effect"
import { descriptions } from "../src/Descriptions.ts"
import { run } from "../src/Livery.ts"

/** The help of a command. */
const helpOf = Effect.fnUntraced(function* (path: ReadonlyArray<string>) {
  const shown: Array<HelpDoc.HelpDoc> = []
  yield* run([...path, "--help"]).pipe(
    Effect.provideService(CliOutput.Presenter, {
      present: (event) => Effect.sync(() => event._tag === "Help" && shown.push(event.helpDoc))
    })
  )
  const [help] = shown
  assert.isDefined(help, path.join(" "))
  return help
})

/** The help of a command and of all commands below it. */
const helpsBelow = (
  path: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<readonly [string, HelpDoc.HelpDoc]>, unknown, NodeServices.NodeServices> =>
  Effect.gen(function* () {
    const help = yield* helpOf(path)
    const below = (help.subcommands ?? []).flatMap(({ commands }) =>
      commands.map(({ name }) => [...path, name])
    )
    const helps = yield* Effect.forEach(below, helpsBelow)
    return [[path.join(" "), help] as const, ...helps.flat()]
  })

// Vite sets it to a path, and commands read their settings also to print their help.
vi.stubEnv("BASE_URL", "")

it.live("the help of every command describes the command, its arguments and its flags", () =>
  Effect.gen(function* () {
    const helps = (yield* Effect.forEach(Object.keys(descriptions), (name) => helpsBelow([name]))).flat()
    assert.isAbove(helps.length, 40)
    for (const [command, { args = [], description, flags }] of helps) {
      assert.isNotEmpty(description, command)
      for (const { description, name } of [...args, ...flags])
        assert.isNotEmpty(Option.getOrElse(description, () => "").trim(), `${command}: ${name}`)
    }
  }).pipe(Effect.provide(NodeServices.layer))
)

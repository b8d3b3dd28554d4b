import * as NodeServices from "@effect/platform-node/NodeServices"
import { CliOutput, type HelpDoc, TerminalCapabilities } from "effect/cli"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Option, Stdio } from "effect"
import { descriptions } from "../src/usage/Descriptions.ts"
import { run } from "../src/CommandLine.ts"
import { writtenHelp } from "../src/usage/WrittenHelp.ts"

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

describe("the written help", () => {
  const bold = "\u001B[1mUSAGE\u001B[0m"
  const pages = () => ({ "--help": bold, "serve --help": `serve ${bold}`, "--version": "v1" })
  const shown = (args: ReadonlyArray<string>, FORCE_COLOR = "") =>
    writtenHelp(args, { env: { FORCE_COLOR }, stdout: {} }, pages)

  it("is found by the command and either name of the flag", () => {
    assert.strictEqual(shown(["--help"]), "USAGE")
    assert.strictEqual(shown(["serve", "-h"]), "serve USAGE")
    assert.strictEqual(shown(["serve", "--help"], "1"), `serve ${bold}`)
    assert.strictEqual(shown(["-v"]), "v1")
  })

  it("is not shown for other arguments", () => {
    for (const args of [[], ["serve"], ["--help", "serve"], ["toString", "--help"], ["serve", "--", "-h"]])
      assert.isUndefined(shown(args))
  })

  it.effect("has colours where effect/cli has them", () =>
    Effect.gen(function* () {
      for (const isTTY of [true, false])
        for (const env of [
          {},
          { NO_COLOR: "1" },
          { NO_COLOR: "" },
          { TERM: "dumb", FORCE_COLOR: "1" },
          ...["", "0", "1", "2", "false", "FALSE", "true"].map((FORCE_COLOR) => ({ FORCE_COLOR })),
          { NO_COLOR: "1", FORCE_COLOR: "1" }
        ]) {
          const { canColor } = yield* TerminalCapabilities.TerminalCapabilities.pipe(
            Effect.provide(
              Layer.provide(
                TerminalCapabilities.layer,
                Stdio.layerTest({ stdoutIsTerminal: Effect.succeed(isTTY) })
              )
            ),
            Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnv({ env }))
          )
          const help = writtenHelp(["--help"], { env, stdout: { isTTY } }, pages)
          assert.strictEqual(help === bold, canColor, JSON.stringify({ env, isTTY }))
        }
    })
  )
})

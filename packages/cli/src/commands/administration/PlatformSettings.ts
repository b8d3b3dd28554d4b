/** `livery settings …`: the settings of the platform. */
import { Console, Effect, Schema } from "effect"
import { Argument, Command } from "effect/cli"
import { AdminSettings, SettingInput } from "@livery/domain"
import { adminFlags, changeFlags, decoded, printRecordFrom, recordFrom } from "./AdminCommand.ts"
import { descriptions } from "../../usage/Descriptions.ts"
import { standardOutput, table } from "../../terminal/Tables.ts"

const list = Command.make(
  "list",
  adminFlags,
  Effect.fn(function* (flags) {
    const direct = AdminSettings.use((settings) => settings.list)
    const settings = yield* recordFrom(flags, direct, { path: "/settings" })
    if (flags.json) return yield* Console.log(JSON.stringify(settings))
    const rows: ReadonlyArray<object> = Object.values(settings).flat()
    yield* Console.log(
      table(
        rows,
        [
          ["category", "CATEGORY"],
          ["key", "KEY"],
          ["value", "VALUE"],
          ["fixed_by", "FIXED BY"],
          ["description", "DESCRIPTION"]
        ],
        standardOutput(),
        { wrapsLast: true }
      )
    )
  })
).pipe(
  Command.withDescription("All settings of the platform"),
  Command.withExamples([{ command: "livery settings list --json", description: "For a script" }])
)

const Json = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Json))

const set = Command.make(
  "set",
  {
    key: Argument.String("key").pipe(
      Argument.withDescription("The setting, as `livery settings list` shows it")
    ),
    value: Argument.String("value").pipe(Argument.withDescription("A number, `true` or `false`")),
    ...changeFlags
  },
  Effect.fn(function* (flags) {
    const parsed = Json(flags.value)
    const payload = { value: parsed._tag === "Some" ? parsed.value : flags.value }
    const direct = Effect.flatMap(decoded(SettingInput, payload), (input) =>
      AdminSettings.use((settings) => settings.set(flags.key, input))
    )
    const path = `/settings/${encodeURIComponent(flags.key)}`
    yield* printRecordFrom(flags, direct, { method: "PATCH", path, payload })
  })
).pipe(
  Command.withDescription("Change a setting; it takes effect on every server within five seconds"),
  Command.withExamples([
    { command: "livery settings set rate_limit_business 1200", description: "Allow more requests" },
    { command: "livery settings set registration_open false", description: "Close the registration" }
  ])
)

export const settings = Command.make("settings").pipe(
  Command.withDescription(descriptions.settings),
  Command.withSubcommands([list, set])
)

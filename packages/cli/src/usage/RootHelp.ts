/**
 * The help and the version of `livery` itself, byte for byte as effect/cli prints them (`Help.test.ts` compares them).
 * This file does not load Effect, because that takes most of the time of such a command.
 */
import { descriptions } from "./Descriptions.ts"
import { version } from "./Version.ts"

/** The description of `livery`. */
export const purpose =
  "The open backend for chauffeur and ground-transport businesses. Settings are environment variables, which docs/settings.md of its source lists."

/** The flags of every command, with the values that some of them permit. */
const globalFlags: ReadonlyArray<
  readonly [names: string, description: string, choices?: ReadonlyArray<string>]
> = [
  ["--help, -h", "Show help information"],
  ["--version, -v", "Show version information"],
  ["--wizard", "Start wizard mode for a command"],
  ["--completions", "Print shell completion script", ["bash", "zsh", "fish", "powershell", "sh", "pwsh"]],
  [
    "--log-level",
    "Sets the minimum log level",
    ["all", "trace", "debug", "info", "warn", "warning", "error", "fatal", "none"]
  ]
]

type Style = (text: string) => string

/** The four styles, without colours if `isColored` is false. */
const stylesOf = (isColored: boolean) => {
  const style =
    (code: number): Style =>
    (text) =>
      isColored ? `\u001b[${code}m${text}\u001b[0m` : text
  return { bold: style(1), dim: style(2), green: style(32), cyan: style(36) }
}

/** The part of a process that decides on colours. */
interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdout: { readonly isTTY?: boolean }
}

const hasColors = ({ env, stdout }: Terminal): boolean => {
  const { FORCE_COLOR: force = "", NO_COLOR: none = "", TERM: term } = env
  if (term === "dumb" || none !== "") return false
  return !["", "0", "false"].includes(force.toLowerCase()) || stdout.isTTY === true
}

const help = (isColored: boolean) => {
  const { bold, cyan, dim, green } = stylesOf(isColored)
  const row = (left: string, width: number, column: number, right: string) =>
    `  ${left}${" ".repeat(column - width)}${right}`
  const flags = globalFlags.map(([names, description, choices = []]) => {
    const left = names.split(", ").map(green).join(", ")
    if (choices.length === 0) return { left, width: names.length, description }
    const value = `<${choices.join("|")}>`
    return {
      left: `${left} ${dim(value)}`,
      width: names.length + 1 + value.length,
      description: `${description} (choices: ${choices.join(", ")})`
    }
  })
  const flagColumn = Math.max(...flags.map(({ width }) => width)) + 4
  const commands = Object.entries(descriptions)
  const commandColumn = Math.max(...commands.map(([name]) => name.length)) + 4
  return [
    bold("DESCRIPTION"),
    `  ${purpose}`,
    "",
    bold("USAGE"),
    `  ${cyan("livery <subcommand> [flags]")}`,
    "",
    bold("GLOBAL FLAGS"),
    ...flags.map(({ description, left, width }) => row(left, width, flagColumn, description)),
    "",
    bold("SUBCOMMANDS"),
    ...commands.map(([name, description]) => row(cyan(name), name.length, commandColumn, description))
  ].join("\n")
}

/** The output of `livery --help` and `livery --version`, without a newline at the end; undefined for other arguments. */
export const rootHelp = (args: ReadonlyArray<string>, terminal: Terminal): string | undefined => {
  const [first = ""] = args
  if (args.length !== 1) return undefined
  const isColored = hasColors(terminal)
  if (["--help", "-h"].includes(first)) return help(isColored)
  if (!["--version", "-v"].includes(first)) return undefined
  const { bold, dim } = stylesOf(isColored)
  return `${bold("livery")} ${dim("v")}${bold(version)}`
}

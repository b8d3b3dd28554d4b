/** The help of each command and the version, which the build writes to a file as effect/cli prints them. */
import { stripVTControlCharacters } from "node:util"

/** The coloured outputs by their arguments, joined by spaces: `serve --help`. */
export type HelpPages = Readonly<Record<string, string>>

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

const longNames: Readonly<Record<string, string>> = { "-h": "--help", "-v": "--version" }

/** The output for arguments that only ask for a help or the version; undefined for other arguments. */
export const writtenHelp = (
  args: ReadonlyArray<string>,
  terminal: Terminal,
  pages: () => HelpPages
): string | undefined => {
  const last = args.at(-1) ?? ""
  const flag = longNames[last] ?? last
  if (flag !== "--help" && flag !== "--version") return undefined
  const all = pages()
  const name = [...args.slice(0, -1), flag].join(" ")
  const page = Object.hasOwn(all, name) ? all[name] : undefined
  return page === undefined || hasColors(terminal) ? page : stripVTControlCharacters(page)
}

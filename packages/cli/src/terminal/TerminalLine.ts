/** Log lines on a terminal: `09:30:01 INFO  message  key=value`. */

/** The colours of levels. The other levels have none. */
const colours: Readonly<Record<string, string>> = {
  warn: "\u001B[33m",
  error: "\u001B[31m",
  fatal: "\u001B[31m"
}
const dim = "\u001B[2m"
const plain = "\u001B[0m"

/**
 * The text without control characters, because they could write elsewhere on the terminal, and without those that change the
 * direction of writing, because some terminals would also reverse the values that follow.
 */
export const printable = (text: string) =>
  text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/gu, "?")

const valueOf = (value: unknown) =>
  printable(typeof value === "string" ? value : (JSON.stringify(value) ?? ""))

/** The line of an entry with `time`, `level`, `message` and other fields. A `cause` follows on lines of its own. */
export const terminalLine = (entry: Readonly<Record<string, unknown>>): string => {
  const { cause, level, message, time, ...fields } = entry
  const word = String(level)
  const colour = colours[word] ?? ""
  const shown = Object.entries(fields).map(([name, value]) => `${name}=${valueOf(value)}`)
  const head = `${dim}${String(time).slice(11, 19)}${plain} ${colour}${word.toUpperCase().padEnd(5)}${plain} ${valueOf(message)}`
  const tail = shown.length === 0 ? "" : `  ${dim}${shown.join(" ")}${plain}`
  const text = typeof cause === "string" ? cause : (JSON.stringify(cause) ?? "")
  const trace = text.split("\n").map((line) => `\n  ${printable(line)}`)
  return head + tail + (text === "" ? "" : trace.join(""))
}

/**
 * Logs to standard error, so that standard output contains only the output of a command: one JSON object per line, or
 * text if standard error is a terminal.
 */
import { RequestLog, type RequestLogEntry } from "@livery/http-adapter"
import { Cause, Effect, Layer, Logger, type LogLevel, Predicate, References } from "effect"
import { linesTo } from "../terminal/LineStream.ts"
import { requestLine } from "./RequestLine.ts"
import { Settings } from "../settings/Settings.ts"
import { terminalLine } from "../terminal/TerminalLine.ts"

const levels: Readonly<Record<"debug" | "info" | "warn" | "error", LogLevel.LogLevel>> = {
  debug: "Debug",
  info: "Info",
  warn: "Warn",
  error: "Error"
}

/** A fault with its stack, without the fields that database drivers add to errors, because they contain rows. */
const traceOf = (cause: Cause.Cause<unknown>) =>
  Cause.prettyErrors(cause)
    .map((error) => error.stack ?? error.message)
    .join("\n")

const lineOf: (entry: Readonly<Record<string, unknown>>) => string = process.stderr.isTTY
  ? terminalLine
  : JSON.stringify

const lines = linesTo(process.stderr, (dropped) =>
  lineOf({
    time: new Date().toISOString(),
    level: "warn",
    message: "Log lines were dropped because their reader was too slow",
    dropped
  })
)

// The process exits before another iteration of the event loop could write these lines.
process.on("exit", lines.flush)

/**
 * `time`, `level`, `message`, the annotations (`request_id`), and the fields of the objects logged with the message.
 */
const line = Logger.make(({ cause, date, fiber, logLevel, message }) => {
  const parts = Array.isArray(message) ? message : [message]
  const entry: Record<string, unknown> = {
    time: date.toISOString(),
    level: logLevel.toLowerCase(),
    message: parts.filter((part) => !Predicate.isObject(part)).join(" "),
    ...fiber.getRef(References.CurrentLogAnnotations)
  }
  for (const part of parts) {
    if (Cause.isCause(part)) entry["cause"] = traceOf(part)
    else if (part instanceof Error) entry["cause"] = part.stack ?? part.message
    else if (Predicate.isObject(part)) Object.assign(entry, part)
  }
  if (cause.reasons.length > 0) entry["cause"] = traceOf(cause)
  lines.write(lineOf(entry))
})

/** Whether the line of a request is logged. */
export const isLogged = (minimum: keyof typeof levels, level: RequestLogEntry["level"]) =>
  minimum === "debug" || minimum === level

/** Writes the line of a request, if its level is logged. */
const requestLog = (minimum: keyof typeof levels) => (entry: RequestLogEntry) => {
  if (isLogged(minimum, entry.level)) {
    const json = requestLine(entry)
    lines.write(process.stderr.isTTY ? terminalLine(JSON.parse(json) as Record<string, unknown>) : json)
  }
}

/** Replaces the default logger, at the level of `LOG_LEVEL`. */
export const layer = Layer.unwrap(
  Effect.map(Settings, ({ logLevel }) =>
    Layer.mergeAll(
      Logger.layer([line]),
      Layer.succeed(References.MinimumLogLevel, levels[logLevel]),
      Layer.succeed(RequestLog, requestLog(logLevel))
    )
  )
)

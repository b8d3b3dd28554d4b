/** Logs: one JSON object a line on standard error, so that standard output holds only what a command answers. */
import { Cause, Effect, Layer, Logger, type LogLevel, Predicate, References } from "effect"
import { linesTo } from "./LineStream.ts"
import { Settings } from "./Settings.ts"

const levels: Readonly<Record<"debug" | "info" | "warn" | "error", LogLevel.LogLevel>> = {
  debug: "Debug",
  info: "Info",
  warn: "Warn",
  error: "Error"
}

/** A fault with its stack, and without the fields that drivers hang on errors: those hold rows. */
const told = (cause: Cause.Cause<unknown>) =>
  Cause.prettyErrors(cause)
    .map((error) => error.stack ?? error.message)
    .join("\n")

const write = linesTo(process.stderr, (dropped) =>
  JSON.stringify({
    time: new Date().toISOString(),
    level: "warn",
    message: "Log lines were dropped, since nobody read them",
    dropped
  })
)

/**
 * `time`, `level`, `message`, the annotations (`request_id`), and the fields of whatever objects were logged beside
 * the message.
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
    if (Cause.isCause(part)) entry["cause"] = told(part)
    else if (part instanceof Error) entry["cause"] = part.stack ?? part.message
    else if (Predicate.isObject(part)) Object.assign(entry, part)
  }
  if (cause.reasons.length > 0) entry["cause"] = told(cause)
  write(JSON.stringify(entry))
})

/** Replaces the default logger, at the level of `LOG_LEVEL`. */
export const layer = Layer.unwrap(
  Effect.map(Settings, ({ logLevel }) =>
    Layer.merge(Logger.layer([line]), Layer.succeed(References.MinimumLogLevel, levels[logLevel]))
  )
)

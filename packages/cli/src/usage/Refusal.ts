/** The domain's errors on the command line: a line with the type and the message, and exit code 1. */
import type {
  Conflict,
  ConfirmationRequired,
  EmailExists,
  FilesUnavailable,
  InvalidInput,
  NotFound,
  TooManyRequests
} from "@livery/domain"
import { Schema } from "effect"

/** The errors that commands report: those of the domain, and refusals themselves. */
export type Refused =
  | CommandRefused
  | Conflict
  | ConfirmationRequired
  | EmailExists
  | FilesUnavailable
  | InvalidInput
  | NotFound
  | TooManyRequests

/** The types of the API (docs/api/errors.md), by the domain's errors. */
const types: Readonly<Record<Exclude<Refused, CommandRefused>["_tag"], string>> = {
  Conflict: "conflict",
  ConfirmationRequired: "confirmation_required",
  EmailExists: "email_exists",
  FilesUnavailable: "server_error",
  InvalidInput: "invalid_request",
  NotFound: "not_found",
  TooManyRequests: "rate_limited"
}

/** A refused command: exit code 1, with the error's type and message on standard error. */
export class CommandRefused extends Schema.TaggedError<CommandRefused>()("CommandRefused", {
  type: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return `${this.type}: ${this.reason}`
  }
}

/** The {@link CommandRefused} of an error. */
export const refused = (error: Refused) =>
  error._tag === "CommandRefused"
    ? error
    : new CommandRefused({ type: types[error._tag], reason: error.message })

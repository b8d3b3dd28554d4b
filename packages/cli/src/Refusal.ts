/** What an error is on the command line: its type and message in one line, and an exit code. */
import type { Conflict, EmailExists, InvalidInput, NotFound, TooManyRequests } from "@livery/domain"
import { Schema } from "effect"

type Refused = Conflict | EmailExists | InvalidInput | NotFound | TooManyRequests

/** The types that the API uses, by the domain's errors (specification, Errors). */
const types: Readonly<Record<Refused["_tag"], string>> = {
  Conflict: "conflict",
  EmailExists: "email_exists",
  InvalidInput: "invalid_request",
  NotFound: "not_found",
  TooManyRequests: "rate_limited"
}

/** A command that was refused: exit 1, with the error's type and message on standard error. */
export class CommandRefused extends Schema.TaggedError<CommandRefused>()("CommandRefused", {
  type: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return `${this.type}: ${this.reason}`
  }
}

/** The refusal that a domain error is. */
export const refused = (error: Refused) =>
  new CommandRefused({ type: types[error._tag], reason: error.message })

/** The port that stores the audit log. */
import { Context, type Effect, type Schema } from "effect"

/** An entry of the audit log. */
export interface AuditEntry {
  /** The author of the action: `cli:anna`, `user:17`, `anonymous`. */
  readonly actor: string
  /** The action in the past tense: `user.created`. */
  readonly action: string
  /** The record that the action concerns: `user:17`. */
  readonly subject: string
  readonly businessId?: number
  readonly before?: Schema.Json
  readonly after?: Schema.Json
  readonly reason?: string
}

/** - `record`: stores an entry in the open transaction. An entry must not contain a password, a token or a key. */
export class AuditLog extends Context.Service<
  AuditLog,
  { readonly record: (entry: AuditEntry) => Effect.Effect<void> }
>()("@livery/domain/AuditLog") {}

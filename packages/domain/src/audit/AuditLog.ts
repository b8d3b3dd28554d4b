/** The port that keeps who changed what, and why. */
import { Context, type Effect, type Schema } from "effect"

/** One change: by whom (`cli:anna`, `user:17`), what was done to what, how it stood before and after, and why. */
export interface AuditEntry {
  readonly actor: string
  readonly action: string
  readonly subject: string
  readonly businessId?: number
  readonly before?: Schema.Json
  readonly after?: Schema.Json
  readonly reason?: string
}

/** - `record`: keeps an entry, in the transaction that is open. Never give it a password, a token or a key. */
export class AuditLog extends Context.Service<
  AuditLog,
  { readonly record: (entry: AuditEntry) => Effect.Effect<void> }
>()("@livery/domain/AuditLog") {}

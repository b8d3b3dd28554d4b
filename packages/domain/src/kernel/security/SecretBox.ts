/** The port that keeps secrets encrypted at rest. */
import { Context, type Effect } from "effect"

/**
 * Seals a text so that only a holder of the installation's secret opens it, and opens it again.
 * Sealing twice gives two different texts. A sealed text that was altered, or sealed under another secret, dies:
 * no caller can mend that.
 */
export class SecretBox extends Context.Service<
  SecretBox,
  {
    readonly seal: (plain: string) => Effect.Effect<string>
    readonly open: (sealed: string) => Effect.Effect<string>
  }
>()("@livery/domain/SecretBox") {}

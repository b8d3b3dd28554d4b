/** The port that encrypts secrets at rest. */
import { Context, type Effect } from "effect"

/**
 * - `seal`: encrypts a text under the installation's secret. The same text gives another result each time.
 * - `open`: decrypts a sealed text. It dies if the text was altered or was sealed under another secret, since no caller
 *   can act on that.
 */
export class SecretBox extends Context.Service<
  SecretBox,
  {
    readonly seal: (plain: string) => Effect.Effect<string>
    readonly open: (sealed: string) => Effect.Effect<string>
  }
>()("@livery/domain/SecretBox") {}

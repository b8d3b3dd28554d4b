/** The port that decides which addresses of others may be called: of webhooks, and of gateways for text messages. */
import { Context } from "effect"

/**
 * Whether a URL may be called at all: `https`, no credentials in the URL, no literal address outside global unicast. The
 * addresses that a name resolves to are checked at each attempt, when the connection is made.
 */
export class AddressPolicy extends Context.Service<
  AddressPolicy,
  { readonly allows: (url: string) => boolean }
>()("@livery/domain/AddressPolicy") {}

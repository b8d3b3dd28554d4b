/** The setting that builds the address to which a gateway sends receipts and replies. */
import { Context } from "effect"

/** The address of callbacks for a token; undefined if the installation has no public address. */
export const CallbackAddress = Context.Reference<((token: string) => string) | undefined>(
  "@livery/domain/CallbackAddress",
  { defaultValue: () => undefined }
)

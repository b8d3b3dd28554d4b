/** The setting that builds the address of the page where customers pay. */
import { Context } from "effect"

/** The page where the holder of a `payment_hash` pays the invoice; undefined if the installation has no such page. */
export const PaymentPage = Context.Reference<((hash: string) => string) | undefined>(
  "@livery/domain/PaymentPage",
  { defaultValue: () => undefined }
)

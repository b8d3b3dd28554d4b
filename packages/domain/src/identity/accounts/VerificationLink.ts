/** The setting that builds the link in the message of a sign-up. */
import { Context } from "effect"

/** The link in a verification message for a code; undefined if the installation has no such page. */
export const VerificationLink = Context.Reference<((code: string) => string) | undefined>(
  "@livery/domain/VerificationLink",
  { defaultValue: () => undefined }
)

/** The setting that builds the link in a reset message. */
import { Context } from "effect"

/** The link in a reset message for a code; undefined if the installation has no such page. */
export const ResetLink = Context.Reference<((code: string) => string) | undefined>(
  "@livery/domain/ResetLink",
  { defaultValue: () => undefined }
)

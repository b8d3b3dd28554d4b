/** The setting that builds the link in an invitation. */
import { Context } from "effect"

/** The link in an invitation for a code; undefined if the installation has no page for it. */
export const InvitationLink = Context.Reference<((code: string) => string) | undefined>(
  "@livery/domain/InvitationLink",
  { defaultValue: () => undefined }
)

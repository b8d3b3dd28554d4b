/** The setting that makes the link of an invitation. */
import { Context } from "effect"

/** The link in an invitation for a code; undefined if the installation has no page for it. */
export const InvitationLink = Context.Reference<((code: string) => string) | undefined>(
  "@livery/domain/InvitationLink",
  { defaultValue: () => undefined }
)

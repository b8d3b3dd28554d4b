/** The invitation of a member: a code by email that is valid for a week and for one use. */
import { Schema } from "effect"
import { Role } from "../business/Role.ts"
import { EmailAddress } from "../kernel/fields/EmailAddress.ts"
import { optionalName } from "../kernel/fields/Name.ts"
import * as Field from "../kernel/fields/Field.ts"
import * as Value from "../kernel/fields/Value.ts"

/** The input of an invitation. `name` names the account that the invited person gets, if there is none yet. */
export const MemberInvitationInput = Schema.Struct({
  email: EmailAddress,
  role: Value.oneOf(Role).required,
  name: optionalName(200)
})
export type MemberInvitationInput = typeof MemberInvitationInput.Type

/** The response to an invitation. */
export const MemberInvitationRecord = Schema.Struct({
  email: Value.emailAddress.wire,
  role: Role,
  sent: Schema.Boolean,
  expires_at: Value.instant.wire
})
export type MemberInvitationRecord = typeof MemberInvitationRecord.Type

/** An invitation that is not accepted yet. */
const openInvitationFields = {
  email: Field.assigned(Value.emailAddress),
  name: Field.assignedOrNull(Value.unboundedText),
  role: Field.assigned(Value.oneOf(Role)),
  created_at: Field.assigned(Value.instant),
  expires_at: Field.assigned(Value.instant)
}

/** An invitation that is not accepted yet, as stored. */
export const OpenInvitation = Field.storedOf(openInvitationFields)
export type OpenInvitation = typeof OpenInvitation.Type

/** An invitation that is not accepted yet, in a response. */
export const OpenInvitationRecord = Field.recordOf(openInvitationFields)
export type OpenInvitationRecord = typeof OpenInvitationRecord.Type

/** The record of an invitation that is not accepted yet. */
export const openInvitationRecord = Field.encoderOf(openInvitationFields)

/** The body that revokes the invitation to an address. */
export const InvitationRevocation = Schema.Struct({ email: EmailAddress })
export type InvitationRevocation = typeof InvitationRevocation.Type

/** The response to a code of either kind: the account, and the driver or the role that it got in the business. */
export const AcceptedInvitation = Schema.Struct({
  user_id: Schema.Int,
  driver_id: Schema.optionalKey(Schema.Int),
  business_id: Schema.Int,
  role: Schema.optionalKey(Role)
})
export type AcceptedInvitation = typeof AcceptedInvitation.Type

/** The text of the email. It contains nothing that the business typed except for its checked name. */
export const memberInvitationText = (invitation: {
  readonly business: string
  readonly role: Role
  readonly code: string
  readonly link: string | undefined
}): string =>
  [
    "Hello,",
    "",
    `${invitation.business} invites you to work with its account, as ${invitation.role}. Your code is:`,
    "",
    `    ${invitation.code}`,
    "",
    ...(invitation.link === undefined ? [] : ["or follow this link:", "", invitation.link, ""]),
    "The code is valid for a week and can be used once. If you do not work for them, ignore this message.",
    ""
  ].join("\n")

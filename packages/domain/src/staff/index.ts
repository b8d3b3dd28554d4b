/** The public exports of this module. */
export * from "./Member.ts"
export * from "./MemberInvitation.ts"
export * from "./MemberInvitationRepository.ts"
export * from "./MemberInvitations.ts"
export * from "./MemberRepository.ts"
export * from "./Members.ts"

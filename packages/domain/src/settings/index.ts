/** The public exports of this module. */
export * from "./BookingPageSettings.ts"
export * from "./BusinessProfile.ts"
export * from "./EmailWording.ts"
export * from "./BusinessProfileRepository.ts"
export * from "./BusinessProfiles.ts"
export * from "./FailedLetters.ts"

/** The public exports of this module. */
export * from "./ErasureSteps.ts"
export * from "./Erasures.ts"
export * from "./TripWithoutPerson.ts"
export * from "./Person.ts"
export * from "./PersonalData.ts"
export * from "./StoredResponse.ts"
export * from "./Redaction.ts"
export * from "./SentMail.ts"

/** The public exports of this module. */
export * from "./CalendarFile.ts"
export * from "./EventUid.ts"

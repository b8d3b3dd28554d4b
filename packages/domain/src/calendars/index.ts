/** The public exports of this module. */
export * from "./CalendarFile.ts"
export * from "./CalendarLink.ts"
export * from "./CalendarRepository.ts"
export * from "./Calendars.ts"
export * from "./EventUid.ts"

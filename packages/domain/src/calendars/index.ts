/** The public exports of this module. */
export * from "./CalendarLink.ts"
export * from "./CalendarRepository.ts"
export * from "./Calendars.ts"

/** The public exports of this module. */
export * from "./DomainEvent.ts"
export * from "./EventLog.ts"
export * from "./EventType.ts"

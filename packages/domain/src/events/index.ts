/** The public exports of this module. */
export * from "./EventBody.ts"
export * from "./DomainEvent.ts"
export * from "./EventLog.ts"
export * from "./EventType.ts"

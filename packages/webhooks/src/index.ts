export * as AddressGuard from "./posting/AddressGuard.ts"
export type { Resolve } from "./posting/GuardedConnector.ts"
export * from "./posting/WebhookSender.ts"
export * as WebhookDispatcher from "./WebhookDispatcher.ts"

export * as AddressGuard from "./AddressGuard.ts"
export type { Resolve } from "./GuardedConnector.ts"
export * as WebhookDispatcher from "./WebhookDispatcher.ts"
export * from "./WebhookSender.ts"

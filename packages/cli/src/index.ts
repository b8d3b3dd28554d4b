/** The composed Livery, for programs that embed it. */
export * from "./Composition.ts"
export * as Database from "./Database.ts"
export type { SecretUnavailable } from "./InstallationSecret.ts"
export * from "./Settings.ts"
export type { SecretMismatch } from "./Startup.ts"
export type { TelemetrySettings } from "./TelemetrySettings.ts"

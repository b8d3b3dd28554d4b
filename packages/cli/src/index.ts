/** The composed Livery, for programs that embed it. */
export * from "./composition/Composition.ts"
export * as Database from "./composition/Database.ts"
export type { SecretUnavailable } from "./composition/InstallationSecret.ts"
export * from "./settings/Settings.ts"
export type { SecretMismatch } from "./composition/Startup.ts"
export type { TelemetrySettings } from "./settings/TelemetrySettings.ts"

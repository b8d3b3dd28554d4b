/** The domain's ports on PostgreSQL: the client, the migrations, the embedded server, and a layer for each port. */
export * as Backups from "./embedded/Backups.ts"
export { type BackupFailed } from "./embedded/Backups.ts"
export type { Binaries } from "./embedded/Binaries.ts"
export * from "./embedded/EmbeddedPostgres.ts"
export * from "./embedded/EmbeddedPostgresError.ts"
export { type LockUnavailable, withLockFile } from "./embedded/LockFile.ts"
export type { Cluster } from "./embedded/Programs.ts"
export * from "./migrations/index.ts"
export type { Table } from "./migrations/Tables.ts"
export * as Retention from "./platform/Retention.ts"
export { unfinishedArrivals, unfinishedMoves } from "./platform/UnfinishedMoves.ts"
export { installationName } from "./platform/InstallationName.ts"
export * as SecretCheck from "./platform/SecretCheck.ts"
export * as GatewaySecrets from "./notices/GatewaySecrets.ts"
export * as EndpointSecrets from "./webhooks/EndpointSecrets.ts"
export * as RateCountersPg from "./platform/RateCountersPg.ts"
export {
  type ConnectionAddress,
  type ConnectionUrlRefused,
  type DatabaseHost,
  readConnectionUrl
} from "./sql/connections/ConnectionUrl.ts"
export * as Distribution from "./sql/schema/Distribution.ts"
export * from "./sql/schema/Migrations.ts"
export * as PgClient from "./sql/connections/PgClient.ts"
export { sharesSessions } from "./sql/connections/Pooling.ts"
export * from "./sql/schema/Usability.ts"
export * as ReadinessPg from "./sql/schema/ReadinessPg.ts"
export * as DueInPlace from "./DueInPlace.ts"
export * as NodeBacklogs from "./webhooks/NodeBacklogsPg.ts"
export * as WorkPlaces from "./sql/places/WorkPlaces.ts"
export * as PersistencePg from "./PersistencePg.ts"
export * as Ports from "./Ports.ts"

/** Every migration, by its number and name. They run in this order, once each, and are never edited afterwards. */
import { foundation } from "./0001_foundation.ts"
import { sessions } from "./0002_sessions.ts"
import { limitsAndIdempotency } from "./0003_limits_and_idempotency.ts"
import { identityProviders } from "./0004_identity_providers.ts"
import { webhooks } from "./0005_webhooks.ts"
import { forgottenSessions } from "./0006_forgotten_sessions.ts"
import { operations } from "./0007_operations.ts"
import { positions } from "./0008_positions.ts"
import { uploads } from "./0009_uploads.ts"
import { deliveryHistory } from "./0010_delivery_history.ts"
import { movedParts } from "./0011_moved_parts.ts"
import { eventOrder } from "./0012_event_order.ts"
import { boundedWords } from "./0013_bounded_words.ts"
import { eventsByKey } from "./0014_events_by_key.ts"
import { customerTrips } from "./0015_customer_trips.ts"
import { eventPositions } from "./0016_event_positions.ts"

export const migrations: Readonly<Record<string, string>> = {
  "0001_foundation": foundation,
  "0002_sessions": sessions,
  "0003_limits_and_idempotency": limitsAndIdempotency,
  "0004_identity_providers": identityProviders,
  "0005_webhooks": webhooks,
  "0006_forgotten_sessions": forgottenSessions,
  "0007_operations": operations,
  "0008_positions": positions,
  "0009_uploads": uploads,
  "0010_delivery_history": deliveryHistory,
  "0011_moved_parts": movedParts,
  "0012_event_order": eventOrder,
  "0013_bounded_words": boundedWords,
  "0014_events_by_key": eventsByKey,
  "0015_customer_trips": customerTrips,
  "0016_event_positions": eventPositions
}

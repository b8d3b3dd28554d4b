/** The stored responses of idempotent requests. */
import { DateTime, Duration, Effect, Layer, Option, Schedule, Schema } from "effect"
import { SqlClient } from "effect/sql"
import {
  IdempotencyStore,
  repeatTimeout,
  responseRetention,
  responseUnreadable,
  SecretBox,
  stillRunning,
  type StoredRequest
} from "@livery/domain"
import { Instant, instant, rowsAs } from "../sql/Rows.ts"
import { transactionMark } from "../sql/TransactionMark.ts"

const keys = rowsAs(Schema.Struct({ key: Schema.String }))
const leases = rowsAs(Schema.Struct({ lease: Schema.Int }))
const sealedRequests = rowsAs(
  Schema.Struct({ sealed_response: Schema.String, lease: Schema.Int, leased_until: Schema.NullOr(Instant) })
)
const Stored: Schema.Codec<StoredRequest> = Schema.Struct({
  content: Schema.String,
  response: Schema.optionalKey(Schema.String),
  parts: Schema.Record(Schema.String, Schema.String)
})
const encode = Schema.encodeEffect(Schema.fromJsonString(Stored))
const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Stored))

/** How many expired responses one statement deletes. */
const batch = 1000

/** The store with a limit other than {@link repeatTimeout} for waiting for a running request. */
export const layerWaiting = (timeout: Duration.Duration) =>
  Layer.effect(
    IdempotencyStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const box = yield* SecretBox

      const deleteExpired = Effect.gen(function* () {
        const now = instant(yield* DateTime.now)
        const deleted = yield* keys(sql`
        DELETE FROM idempotency_keys WHERE key IN (
          SELECT key FROM idempotency_keys WHERE expires_at <= ${now}
          ORDER BY expires_at LIMIT ${batch} FOR UPDATE SKIP LOCKED)
        RETURNING key`)
        return deleted.length
      })
      yield* deleteExpired.pipe(
        Effect.repeat({ while: (deleted) => deleted === batch }),
        Effect.ignoreCause({ log: "Debug", message: "Expired idempotency keys were not deleted" }),
        Effect.schedule(Schedule.spaced("10 minutes")),
        Effect.forkScoped
      )

      /** The primary key makes a second claim wait until the first one's transaction ends, by commit or rollback. */
      const insert = Effect.fnUntraced(function* (key: string) {
        const now = yield* DateTime.now
        const expiresAt = instant(DateTime.addDuration(now, responseRetention))
        return yield* sql`
        INSERT INTO idempotency_keys (key, sealed_response, expires_at) VALUES (${key}, '', ${expiresAt})
        ON CONFLICT (key) DO UPDATE
          SET sealed_response = '', expires_at = excluded.expires_at, leased_until = NULL,
            lease = idempotency_keys.lease + 1
          WHERE idempotency_keys.expires_at <= ${instant(now)}
        RETURNING lease, ${transactionMark(sql)}`
      })

      /**
       * A stored response. If it cannot be opened, the error says that the request was carried out. A fault would be
       * wrong, because it means that nothing was committed.
       */
      const opened = (sealed: string) =>
        Effect.flatMap(box.open(sealed), decode).pipe(
          Effect.orDie,
          Effect.catchDefect((defect) =>
            Effect.logWarning("A stored response cannot be opened", { reason: String(defect) }).pipe(
              Effect.andThen(Effect.fail(responseUnreadable()))
            )
          )
        )

      return IdempotencyStore.of({
        claim: Effect.fn("IdempotencyStore.claim")(function* (key: string) {
          yield* Effect.orDie(
            sql`SET LOCAL lock_timeout = ${sql.literal(String(Duration.toMillis(timeout)))}`
          )
          const claimed = yield* insert(key).pipe(
            Effect.catchReason("SqlError", "LockTimeoutError", () => Effect.fail(stillRunning())),
            Effect.catchTag("SqlError", Effect.die)
          )
          yield* Effect.orDie(sql`SET LOCAL lock_timeout TO DEFAULT`)
          const [first] = yield* leases(Effect.succeed(claimed))
          if (first !== undefined) return { lease: first.lease, earlier: Option.none() }
          const [stored] = yield* sealedRequests(
            sql`SELECT sealed_response, lease, leased_until FROM idempotency_keys WHERE key = ${key}`
          )
          if (stored === undefined) return yield* Effect.die(new Error("A claimed key has no row"))
          const { lease, leased_until, sealed_response } = stored
          return { lease, earlier: Option.some({ ...(yield* opened(sealed_response)), leased_until }) }
        }),
        lease: (key, lease, until) =>
          Effect.map(
            leases(sql`
              UPDATE idempotency_keys SET lease = lease + 1, leased_until = ${instant(until)}
              WHERE key = ${key} AND lease = ${lease} RETURNING lease`),
            ([row]) => Option.map(Option.fromUndefinedOr(row), (taken) => taken.lease)
          ),
        save: Effect.fn("IdempotencyStore.save")(function* (
          key: string,
          lease: number,
          request: StoredRequest
        ) {
          const sealed = yield* box.seal(yield* Effect.orDie(encode(request)))
          const saved = yield* Effect.orDie(sql`
            UPDATE idempotency_keys SET sealed_response = ${sealed}
            WHERE key = ${key} AND lease = ${lease} RETURNING lease`)
          return saved.length > 0
        }),
        release: (key, lease) =>
          Effect.orDie(
            Effect.asVoid(sql`DELETE FROM idempotency_keys WHERE key = ${key} AND lease = ${lease}`)
          )
      })
    })
  )

export const layer = layerWaiting(repeatTimeout)

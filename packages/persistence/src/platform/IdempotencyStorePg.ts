/** The stored responses of idempotent requests. */
import { DateTime, Duration, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import {
  BusinessId,
  IdempotencyStore,
  repeatTimeout,
  responseUnreadable,
  SecretBox,
  stillRunning,
  type StoredRequest,
  traced
} from "@livery/domain"
import { onCurrentKey } from "../sql/statements/IdempotencyKeys.ts"
import { execute, Instant, instant, rowsAs } from "../sql/rows/Rows.ts"
import { transactionMark } from "../sql/transactions/TransactionMark.ts"

const leases = rowsAs(Schema.Struct({ lease: Schema.Int }))
const sealedRequests = rowsAs(
  Schema.Struct({ sealed_response: Schema.String, lease: Schema.Int, leased_until: Schema.NullOr(Instant) })
)
const Stored: Schema.Codec<StoredRequest> = Schema.Struct({
  business_id: Schema.optionalKey(Schema.NullOr(Schema.toType(BusinessId))),
  content: Schema.String,
  response: Schema.optionalKey(Schema.String),
  parts: Schema.Record(Schema.String, Schema.String)
})
const encode = Schema.encodeEffect(Schema.fromJsonString(Stored))
const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Stored))

/** The store with a limit other than {@link repeatTimeout} for the wait for a running request with the same key. */
export const layerWaiting = (timeout: Duration.Duration) =>
  Layer.effect(
    IdempotencyStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const box = yield* SecretBox

      /**
       * Claims a key in one statement. The primary key makes a second claim wait until the transaction of the first one
       * ends, by commit or rollback. What it returns depends on the row of the key:
       *
       *     absent, or older than the retention period      a claimed row, without a response
       *     in the previous generation, and not too old     the row, moved to the current generation
       *     in the current generation, and not too old      nothing
       */
      const claimOrMove = Effect.fnUntraced(function* (key: string, retention: Duration.Duration) {
        const now = yield* DateTime.now
        const oldest = instant(DateTime.subtractDuration(now, retention))
        return yield* sql`
        WITH moved AS (DELETE FROM idempotency_keys_previous WHERE key = ${key} RETURNING *),
        previous AS (SELECT *, created_at > ${oldest} AS is_stored FROM moved)
        INSERT INTO idempotency_keys AS k (key, sealed_response, lease, leased_until, created_at, owning_business_id)
        SELECT ${key}, CASE WHEN is_stored THEN sealed_response ELSE '' END,
          CASE WHEN is_stored THEN lease ELSE coalesce(lease + 1, 0) END,
          CASE WHEN is_stored THEN leased_until END, CASE WHEN is_stored THEN created_at ELSE ${instant(now)} END,
          CASE WHEN is_stored THEN owning_business_id END
        FROM (SELECT) one_row LEFT JOIN previous ON true
        ON CONFLICT (key) DO UPDATE
          SET sealed_response = '', created_at = ${instant(now)}, leased_until = NULL, lease = k.lease + 1
          WHERE k.created_at <= ${oldest}
        RETURNING sealed_response, lease, leased_until, ${transactionMark(sql)}`
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
        claim: traced("IdempotencyStore.claim")(function* (key: string, retention: Duration.Duration) {
          yield* Effect.orDie(
            sql`SET LOCAL lock_timeout = ${sql.literal(String(Duration.toMillis(timeout)))}`
          )
          const claimed = yield* claimOrMove(key, retention).pipe(
            Effect.catchReason("SqlError", "LockTimeoutError", () => Effect.fail(stillRunning())),
            Effect.catchTag("SqlError", Effect.die)
          )
          yield* Effect.orDie(sql`SET LOCAL lock_timeout TO DEFAULT`)
          const [row] = yield* sealedRequests(Effect.succeed(claimed))
          if (row?.sealed_response === "") return { lease: row.lease, earlier: Option.none() }
          const stored =
            row ??
            (yield* sealedRequests(
              sql`SELECT sealed_response, lease, leased_until FROM idempotency_keys WHERE key = ${key}`
            ))[0]
          if (stored === undefined) return yield* Effect.die(new Error("A claimed key has no row"))
          const { lease, leased_until, sealed_response } = stored
          return { lease, earlier: Option.some({ ...(yield* opened(sealed_response)), leased_until }) }
        }),
        lease: (key, lease, until) =>
          Effect.map(
            onCurrentKey(
              sql,
              key,
              leases(sql`
                UPDATE idempotency_keys SET lease = lease + 1, leased_until = ${instant(until)}
                WHERE key = ${key} AND lease = ${lease} RETURNING lease`)
            ),
            ([row]) => Option.map(Option.fromUndefinedOr(row), ({ lease }) => lease)
          ),
        save: traced("IdempotencyStore.save")(function* (key: string, lease: number, request: StoredRequest) {
          const sealed = yield* box.seal(yield* Effect.orDie(encode(request)))
          const saved = yield* Effect.orDie(
            onCurrentKey(
              sql,
              key,
              sql`
                UPDATE idempotency_keys SET sealed_response = ${sealed}, owning_business_id = ${request.business_id ?? null}
                WHERE key = ${key} AND lease = ${lease} RETURNING lease`
            )
          )
          return saved.length > 0
        }),
        release: (key, lease) =>
          execute(
            onCurrentKey(
              sql,
              key,
              sql`DELETE FROM idempotency_keys WHERE key = ${key} AND lease = ${lease} RETURNING lease`
            )
          )
      })
    })
  )

/**
 * The store of idempotency keys in the table `idempotency_keys`, with the default limit for the wait for a running
 * request.
 */
export const layer = layerWaiting(repeatTimeout)

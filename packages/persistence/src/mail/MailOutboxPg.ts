import { DateTime, Duration, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import {
  clockToleranceSeconds,
  mailClaimLease,
  MailMessage,
  MailOutbox,
  SecretBox,
  WorkNotifier
} from "@livery/domain"
import { execute, Instant, instant, rowsAs } from "../sql/rows/Rows.ts"

const claimed = rowsAs(
  Schema.Struct({
    mail_id: Schema.Int,
    attempt: Schema.Int,
    sealed_message: Schema.String,
    message_id: Schema.String,
    created_at: Instant
  })
)
const backlogs = rowsAs(Schema.Struct({ waiting: Schema.Int, oldest_seconds: Schema.Finite }))
const waits = rowsAs(Schema.Struct({ wait: Schema.Finite }))
const encodeMessage = Schema.encodeEffect(Schema.fromJsonString(MailMessage))
const decodeMessage = Schema.decodeUnknownEffect(Schema.fromJsonString(MailMessage))

const leaseSeconds = Duration.toSeconds(mailClaimLease)

/**
 * Messages, encrypted by the `SecretBox`, in the table `mail_outbox`, and the counts of their limits in `mail_counts`.
 * A commit notifies the sender.
 */
export const layer = Layer.effect(
  MailOutbox,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const box = yield* SecretBox
    const notifier = yield* WorkNotifier

    /** A message that cannot be decrypted must not prevent the others of its batch from being sent. */
    const opened = (sealed: string) =>
      Effect.orDie(Effect.flatMap(box.open(sealed), decodeMessage)).pipe(
        Effect.catchDefect(() => Effect.undefined)
      )

    return MailOutbox.of({
      post: Effect.fnUntraced(function* (message) {
        const sealed = yield* box.seal(yield* Effect.orDie(encodeMessage(message)))
        yield* Effect.orDie(sql`INSERT INTO mail_outbox (sealed_message) VALUES (${sealed})`)
        yield* sql.afterCommit(notifier.notify("mail"))
      }),
      count: Effect.fnUntraced(function* (key, limit) {
        const now = sql`${instant(yield* DateTime.now)}::timestamptz`
        // A later time was counted before the clock was set back, unless it is another node's.
        const isRecent = sql`
          at > ${now} - interval '1 hour' AND at <= ${now} + make_interval(secs => ${clockToleranceSeconds})`
        // The update locks the row until the transaction ends, so that concurrent calls are counted one after the
        // other, on other nodes too. Each call also deletes up to ten expired counts.
        const counted = yield* waits(sql`
          WITH expired AS (
            DELETE FROM mail_counts WHERE key IN (
              SELECT key FROM mail_counts WHERE expires_at < ${now} AND key <> ${key}
              ORDER BY expires_at LIMIT 10 FOR UPDATE SKIP LOCKED)
          )
          INSERT INTO mail_counts AS c (key, sent_at, expires_at)
          VALUES (${key}, ARRAY[${now}], ${now} + interval '1 hour')
          ON CONFLICT (key) DO UPDATE SET
            sent_at = array_append(ARRAY(SELECT at FROM unnest(c.sent_at) at WHERE ${isRecent}), ${now}),
            expires_at = excluded.expires_at
          WHERE (SELECT count(*) FROM unnest(c.sent_at) at WHERE ${isRecent}) < ${limit}
          RETURNING 0 AS wait`)
        if (counted.length > 0) return 0
        const [refused] = yield* waits(sql`
          SELECT extract(epoch FROM min(at) + interval '1 hour' - ${now})::float8 AS wait
          FROM mail_counts, unnest(sent_at) at WHERE key = ${key} AND ${isRecent}`)
        return Math.max(1, Math.ceil(refused?.wait ?? 1))
      }),
      claim: Effect.fnUntraced(function* (limit) {
        const rows = yield* claimed(sql`
          UPDATE mail_outbox SET
            attempt = attempt + 1,
            next_attempt_at = clock_timestamp() + make_interval(secs => ${leaseSeconds})
          WHERE mail_id IN (
            SELECT mail_id FROM mail_outbox WHERE next_attempt_at <= clock_timestamp()
            ORDER BY next_attempt_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)
          RETURNING mail_id, attempt, sealed_message, message_id, created_at`)
        return yield* Effect.forEach(rows, ({ attempt, created_at, mail_id, message_id, sealed_message }) =>
          Effect.map(opened(sealed_message), (message) => ({
            mailId: mail_id,
            attempt,
            stamp: { id: message_id, date: created_at },
            message
          }))
        )
      }),
      sent: (mailId) => execute(sql`DELETE FROM mail_outbox WHERE mail_id = ${mailId}`),
      postpone: (mailId, seconds, reason) =>
        execute(sql`
            UPDATE mail_outbox SET
              next_attempt_at = clock_timestamp() + make_interval(secs => ${seconds}), last_error = ${reason}
            WHERE mail_id = ${mailId}`),
      backlog: Effect.map(
        backlogs(sql`
          SELECT count(*)::int AS waiting,
            coalesce(extract(epoch FROM clock_timestamp() - min(created_at)), 0)::float8 AS oldest_seconds
          FROM (SELECT created_at FROM mail_outbox ORDER BY mail_id LIMIT 100000) waiting`),
        ([row]) => ({ waiting: row?.waiting ?? 0, oldestSeconds: row?.oldest_seconds ?? 0 })
      )
    })
  })
)

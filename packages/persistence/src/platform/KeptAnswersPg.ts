/** Answers that are kept for the same request sent again. */
import { DateTime, Duration, Effect, Layer, Option, Schedule, Schema } from "effect"
import { SqlClient } from "effect/sql"
import {
  answersKept,
  KeptAnswer,
  KeptAnswers,
  retryPatience,
  SecretBox,
  shownNoLonger,
  stillRunning
} from "@livery/domain"
import { instant, rowsAs } from "../sql/Rows.ts"

const names = rowsAs(Schema.Struct({ name: Schema.String }))
const sealedAnswers = rowsAs(Schema.Struct({ sealed_answer: Schema.String }))
const encode = Schema.encodeEffect(Schema.fromJsonString(KeptAnswer))
const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(KeptAnswer))

/** How many expired answers one statement removes. */
const batch = 1000

/** For whom {@link retryPatience} is not the time to wait: `patience` instead. */
export const layerWaiting = (patience: Duration.Duration) =>
  Layer.effect(
    KeptAnswers,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const box = yield* SecretBox

      const pruneBatch = Effect.gen(function* () {
        const now = instant(yield* DateTime.now)
        const gone = yield* names(sql`
        DELETE FROM kept_answers WHERE name IN (
          SELECT name FROM kept_answers WHERE expires_at <= ${now}
          ORDER BY expires_at LIMIT ${batch} FOR UPDATE SKIP LOCKED)
        RETURNING name`)
        return gone.length
      })
      yield* pruneBatch.pipe(
        Effect.repeat({ while: (gone) => gone === batch }),
        Effect.ignoreCause({ log: "Debug", message: "expired answers were not removed" }),
        Effect.schedule(Schedule.spaced("10 minutes")),
        Effect.forkScoped
      )

      /** The primary key makes a second one wait for the first's commit, and for its roll-back alike. */
      const takeNow = Effect.fnUntraced(function* (name: string) {
        const now = yield* DateTime.now
        const expiresAt = instant(DateTime.addDuration(now, answersKept))
        return yield* sql`
        INSERT INTO kept_answers (name, sealed_answer, expires_at) VALUES (${name}, '', ${expiresAt})
        ON CONFLICT (name) DO UPDATE SET sealed_answer = '', expires_at = excluded.expires_at
          WHERE kept_answers.expires_at <= ${instant(now)}
        RETURNING name`
      })

      /** The work is done, so that a fault, which says that nothing happened, would be a lie. */
      const opened = (sealed: string) =>
        Effect.flatMap(box.open(sealed), decode).pipe(
          Effect.orDie,
          Effect.catchDefect((defect) =>
            Effect.logWarning("a kept answer cannot be opened", { reason: String(defect) }).pipe(
              Effect.andThen(Effect.fail(shownNoLonger()))
            )
          )
        )

      return KeptAnswers.of({
        take: Effect.fn("KeptAnswers.take")(function* (name: string) {
          yield* Effect.orDie(
            sql`SET LOCAL lock_timeout = ${sql.literal(String(Duration.toMillis(patience)))}`
          )
          const taken = yield* takeNow(name).pipe(
            Effect.catchReason("SqlError", "LockTimeoutError", () => Effect.fail(stillRunning())),
            Effect.catchTag("SqlError", Effect.die)
          )
          yield* Effect.orDie(sql`SET LOCAL lock_timeout TO DEFAULT`)
          if (taken.length > 0) return Option.none()
          const [kept] = yield* sealedAnswers(
            sql`SELECT sealed_answer FROM kept_answers WHERE name = ${name}`
          )
          if (kept === undefined) return yield* Effect.die(new Error("A key that is taken has no row"))
          return Option.some(yield* opened(kept.sealed_answer))
        }),
        keep: Effect.fn("KeptAnswers.keep")(function* (name: string, answer: KeptAnswer) {
          const sealed = yield* box.seal(yield* Effect.orDie(encode(answer)))
          yield* Effect.orDie(sql`UPDATE kept_answers SET sealed_answer = ${sealed} WHERE name = ${name}`)
        }),
        release: (name) => Effect.orDie(Effect.asVoid(sql`DELETE FROM kept_answers WHERE name = ${name}`))
      })
    })
  )

export const layer = layerWaiting(retryPatience)

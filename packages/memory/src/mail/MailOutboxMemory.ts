/** The domain's `MailOutbox` in memory. Messages are not encrypted: they never leave the process. */
import { clockToleranceSeconds, mailClaimLease, MailOutbox, WorkNotifier } from "@livery/domain"
import { Clock, DateTime, Duration, Effect, Layer, Random } from "effect"
import { ascending } from "../store/Pages.ts"
import { Store } from "../store/Store.ts"

const leaseMillis = Duration.toMillis(mailClaimLease)

const hourMillis = 3_600_000

export const layer = Layer.effect(
  MailOutbox,
  Effect.gen(function* () {
    const { afterCommit, mail, mailCounts, step } = yield* Store
    const notifier = yield* WorkNotifier
    // Distinguishes the messages of this store from those of others.
    const storeId = yield* Random.nextIntBetween(0, 2 ** 32)
    const stepAt = <A>(body: (now: number) => A) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => step(() => body(now)))

    return MailOutbox.of({
      post: (message) =>
        stepAt((now) => {
          const mail_id = mail.next()
          mail.set(mail_id, {
            mail_id,
            message,
            postedAt: now,
            attempt: 0,
            nextAttemptAt: now,
            lastError: null
          })
        }).pipe(Effect.andThen(afterCommit(notifier.notify("mail")))),
      count: (key, limit) =>
        stepAt((now) => {
          // A later time was counted before the clock was set back.
          const sentAt = (mailCounts.get(key)?.sentAt ?? []).filter(
            (at) => at > now - hourMillis && at <= now + clockToleranceSeconds * 1000
          )
          const [oldest = now] = sentAt
          if (sentAt.length >= limit) return Math.max(1, Math.ceil((oldest + hourMillis - now) / 1000))
          mailCounts.set(key, { sentAt: [...sentAt, now] })
          return 0
        }),
      claim: (limit) =>
        stepAt((now) =>
          mail
            .where(({ nextAttemptAt }) => nextAttemptAt <= now)
            .toSorted(ascending(({ mail_id, nextAttemptAt }) => [nextAttemptAt, mail_id]))
            .slice(0, limit)
            .map((row) => {
              const attempt = row.attempt + 1
              mail.set(row.mail_id, { ...row, attempt, nextAttemptAt: now + leaseMillis })
              const stamp = {
                id: `memory-${storeId}-${row.mail_id}`,
                date: DateTime.makeUnsafe(row.postedAt)
              }
              return { mailId: row.mail_id, attempt, stamp, message: row.message }
            })
        ),
      sent: (mailId) => step(() => void mail.remove(mailId)),
      postpone: (mailId, seconds, reason) =>
        stepAt((now) => void mail.change(mailId, { nextAttemptAt: now + seconds * 1000, lastError: reason })),
      backlog: stepAt((now) => {
        const oldest = Math.min(now, ...mail.where().map(({ postedAt }) => postedAt))
        return { waiting: mail.where().length, oldestSeconds: (now - oldest) / 1000 }
      })
    })
  })
)

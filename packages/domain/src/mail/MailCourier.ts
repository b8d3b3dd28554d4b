/** The fiber that takes letters from the outbox to the mail server. */
import { Cause, Duration, Effect, Layer } from "effect"
import { WorkNotifier } from "../kernel/concurrency/WorkNotifier.ts"
import { noRecipient } from "./Mail.ts"
import { type ClaimedLetter, MailOutbox } from "./MailOutbox.ts"
import { Mailer, MailRefused } from "./Mailer.ts"

/** Attempts after which a letter is given up: with the waits below, about a day. */
export const maximumMailAttempts = 28

/** Seconds to wait after attempt number `attempt` failed: a minute, doubling to an hour. */
export const mailWaitAfter = (attempt: number): number => Math.min(60 * 2 ** (attempt - 1), 3600)

const batch = 20
const poll = Duration.seconds(5)
const pauseAfterFault = Duration.seconds(2)

/**
 * Runs the courier while its scope lives. A letter is sent at least once: a process that ends between the mail
 * server's yes and the outbox's note sends it again.
 */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const outbox = yield* MailOutbox
    const mailer = yield* Mailer
    const notifier = yield* WorkNotifier

    const postpone = ({ attempt, mailId }: ClaimedLetter, reason: string) =>
      attempt >= maximumMailAttempts
        ? Effect.andThen(
            Effect.logError("mail given up", { mail_id: mailId, attempt, reason }),
            outbox.sent(mailId)
          )
        : Effect.andThen(
            Effect.logWarning("mail postponed", { mail_id: mailId, attempt, reason }),
            outbox.postpone(mailId, mailWaitAfter(attempt), reason)
          )

    const send = ({ letter }: ClaimedLetter) => {
      // It is kept all the same: the secret that was set by mistake may be mended.
      if (letter === undefined)
        return Effect.fail(new MailRefused({ reason: "it was sealed under another secret" }))
      return letter.to === noRecipient ? Effect.void : mailer.send(letter)
    }

    const carry = (claimed: ClaimedLetter) =>
      send(claimed).pipe(
        // A mailer that breaks on a letter must not keep the others waiting, nor come back to it for ever.
        Effect.catchDefect((defect) =>
          Effect.andThen(
            Effect.logError("the mailer broke", defect, { mail_id: claimed.mailId }),
            Effect.fail(new MailRefused({ reason: "the mailer broke" }))
          )
        ),
        Effect.matchEffect({
          onSuccess: () => outbox.sent(claimed.mailId),
          onFailure: ({ reason }) => postpone(claimed, reason)
        })
      )

    const round = Effect.gen(function* () {
      const letters = yield* outbox.claim(batch)
      yield* Effect.forEach(letters, carry, { concurrency: 4, discard: true })
      if (letters.length < batch) yield* notifier.wait("mail", poll)
    })

    yield* round.pipe(
      Effect.catchCauseIf(
        (cause) => !Cause.hasInterruptsOnly(cause),
        (cause) =>
          Effect.andThen(Effect.logError("the mail courier stumbled", cause), Effect.sleep(pauseAfterFault))
      ),
      Effect.forever,
      Effect.forkScoped
    )
  })
)

/** The fiber that sends the messages of the outbox. */
import { Cause, DateTime, Duration, Effect, Layer, Metric } from "effect"
import { PlatformSettings } from "../configuration/PlatformSettings.ts"
import { WorkNotifier } from "../kernel/concurrency/WorkNotifier.ts"
import { logFailure } from "../kernel/Faults.ts"
import { retryDelayAfter } from "../kernel/time/RetryDelay.ts"
import { tracedRound } from "../kernel/Tracing.ts"
import { Transaction } from "../kernel/Transaction.ts"
import { LetterRepository } from "./LetterRepository.ts"
import { Mailer, MailRefused } from "./Mailer.ts"
import { noRecipient } from "./MailMessage.ts"
import { type ClaimedMessage, MailOutbox } from "./MailOutbox.ts"
import { type Handover, MessageChannels, type MessageUndeliverable } from "./MessageChannels.ts"

/** The number of attempts after which a message is dropped: with the delays below, after about so many days. */
export const maximumMailAttempts = (days: number): number => 4 + 24 * days

const attempts = Metric.counter("livery_mail_attempts_total", {
  description: "Attempts to send an email: sent, postponed, or dropped after the last one",
  incremental: true
})

const countMail = (outcome: "sent" | "postponed" | "dropped", count: number) =>
  Metric.update(Metric.withAttributes(attempts, { outcome }), count)

/** The number of attempts of a text message or a push message: later, it would be of no use. */
const maximumChannelAttempts = 5

const batchSize = 20
const pollInterval = Duration.seconds(5)
const pauseAfterFault = Duration.seconds(2)

/**
 * Runs the sender while its scope lives. A message is sent at least once: if the process ends after the mail server has
 * accepted it and before the outbox has deleted it, it is sent again.
 */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const outbox = yield* MailOutbox
    const mailer = yield* Mailer
    const letters = yield* LetterRepository
    const channels = yield* MessageChannels
    const transaction = yield* Transaction
    const notifier = yield* WorkNotifier
    const settings = yield* PlatformSettings

    // At 0 from the start, so that a rate includes the first message.
    for (const outcome of ["sent", "postponed", "dropped"] as const) yield* countMail(outcome, 0)

    /** Runs `otherwise` if `work` fails, and logs the failure. */
    const orElse = <A>(work: Effect.Effect<A>, failure: string, otherwise: Effect.Effect<A>) =>
      Effect.catchCauseIf(
        work,
        (cause) => !Cause.hasInterruptsOnly(cause),
        (cause) => Effect.andThen(logFailure(failure, cause), otherwise)
      )

    /**
     * Notes that a message was sent, and deletes it. If the records of its business do not respond, it is only deleted: a customer
     * would get it again at each attempt to note it.
     */
    const finish = ({ mailId, message }: ClaimedMessage, handover: Handover) => {
      const { business_id, letter, notice_id } = message ?? {}
      if (business_id === undefined || (letter === undefined && notice_id === undefined))
        return outbox.sent(mailId)
      const noted = transaction.run(
        Effect.gen(function* () {
          if (letter !== undefined) yield* letters.sent(business_id, letter)
          const at = yield* DateTime.now
          if (notice_id !== undefined)
            yield* channels.note(business_id, notice_id, { status: "sent", at, ...handover })
          yield* outbox.sent(mailId)
        })
      )
      return orElse(noted, "a message was sent, and its business has no note of it", outbox.sent(mailId))
    }

    /**
     * Deletes a message that is given up. A letter to a customer is kept as failed, and its credit is given back; a notice says
     * that it failed.
     */
    const drop = ({ attempt, mailId, message, stamp }: ClaimedMessage, reason: string) => {
      const { business_id, letter, notice_id } = message ?? {}
      if (business_id === undefined || (letter === undefined && notice_id === undefined))
        return outbox.sent(mailId)
      return transaction.run(
        Effect.gen(function* () {
          const failed_at = yield* DateTime.now
          if (letter !== undefined)
            yield* letters.failed(business_id, {
              ...letter,
              attempts: attempt,
              reason,
              posted_at: stamp.date,
              failed_at
            })
          if (notice_id !== undefined)
            yield* channels.note(business_id, notice_id, { status: "failed", at: failed_at, reason })
          yield* outbox.sent(mailId)
        })
      )
    }

    const giveUp = (claimed: ClaimedMessage, message: string, reason: string) =>
      Effect.logError(message, { mail_id: claimed.mailId, attempt: claimed.attempt, reason }).pipe(
        Effect.andThen(drop(claimed, reason)),
        Effect.andThen(countMail("dropped", 1))
      )

    const postpone = (claimed: ClaimedMessage, reason: string) => {
      const { attempt, mailId, message } = claimed
      const isMail = message?.channel === undefined || message.channel === "mail"
      const maximum = isMail
        ? maximumMailAttempts(settings.current().mail_retention_days)
        : maximumChannelAttempts
      return attempt >= maximum
        ? giveUp(claimed, "mail dropped after its last attempt", reason)
        : Effect.andThen(
            Effect.logWarning("mail postponed", { mail_id: mailId, attempt, reason }),
            Effect.andThen(
              outbox.postpone(mailId, retryDelayAfter(attempt), reason),
              countMail("postponed", 1)
            )
          )
    }

    const handed: Handover = { reference: null, segments: null }

    const deliver = ({
      message,
      stamp
    }: ClaimedMessage): Effect.Effect<Handover, MailRefused | MessageUndeliverable> => {
      // The message is kept: an operator may restore the secret.
      if (message === undefined)
        return Effect.fail(new MailRefused({ reason: "it was encrypted under another secret" }))
      if (message.to === noRecipient) return Effect.succeed(handed)
      return message.channel === undefined || message.channel === "mail"
        ? Effect.as(mailer.send(message, stamp), handed)
        : channels.send(message, stamp)
    }

    const process = (claimed: ClaimedMessage) =>
      deliver(claimed).pipe(
        // A defect of the mailer counts as an attempt, so that one message neither delays the others nor repeats forever.
        Effect.catchDefect((defect) =>
          Effect.andThen(
            Effect.logError("the mailer failed", defect, { mail_id: claimed.mailId }),
            Effect.fail(new MailRefused({ reason: "the mailer failed" }))
          )
        ),
        Effect.matchEffect({
          onSuccess: (handover) => Effect.andThen(finish(claimed, handover), countMail("sent", 1)),
          onFailure: ({ _tag, reason }) =>
            _tag === "MailRefused"
              ? postpone(claimed, reason)
              : giveUp(claimed, "a message cannot be delivered", reason)
        })
      )

    /** The failure of a message must not interrupt the others, which may be sent already. It is tried again after its lease. */
    const processAlone = (claimed: ClaimedMessage) =>
      orElse(process(claimed), "a message failed; it is tried again", Effect.void)

    const round = Effect.tap(outbox.claim(batchSize), (claimed) =>
      Effect.forEach(claimed, processAlone, { concurrency: 4, discard: true })
    )

    const processBatch = Effect.gen(function* () {
      const claimed = yield* tracedRound("worker.send_mail", round)
      if (claimed.length < batchSize) yield* notifier.wait("mail", pollInterval)
    })

    yield* processBatch.pipe(
      Effect.catchCauseIf(
        (cause) => !Cause.hasInterruptsOnly(cause),
        (cause) =>
          Effect.andThen(
            logFailure("the mail sender failed; it continues", cause),
            Effect.sleep(pauseAfterFault)
          )
      ),
      Effect.forever,
      Effect.forkScoped
    )
  })
)

/** Whether the server runs and can serve, and what waits in its queues. */
import type { JSX } from "preact"
import { useEffect } from "preact/hooks"
import { apiBase } from "../../api/Api.ts"
import { failureOf } from "../../api/Failure.ts"
import { Facts } from "../../components/Facts.tsx"
import { Badge } from "../../components/Notice.tsx"
import { format } from "../../i18n/Language.ts"
import { fill } from "../../i18n/Format.ts"
import { api } from "../Api.ts"
import { Loaded, useReading } from "../parts/Loaded.tsx"
import type { PlatformWords } from "./words/en.ts"

/**
 * The values of the server's metrics by their names: a line is `livery_mail_waiting 3`. A distributed database has one for each of
 * its nodes that responds.
 */
const readMetrics = async (): Promise<ReadonlyMap<string, ReadonlyArray<number>>> => {
  const response = await fetch(new URL("../metrics", apiBase), { cache: "no-store" })
  // A proxy may keep the metrics to itself.
  const text = response.ok ? await response.text() : ""
  const values = new Map<string, ReadonlyArray<number>>()
  for (const [, name = "", value] of text.matchAll(/^(\w+)(?:\{node="[^"]*"\})? (\d\S*)$/gmu))
    values.set(name, [...(values.get(name) ?? []), Number(value)])
  return values
}

/** The queues: their name, and the metrics with how much waits and for how many seconds. */
const queues = [
  ["queueWebhooks", "livery_webhook_backlog", "livery_webhook_oldest_due_seconds"],
  ["queueEvents", "livery_event_feed_lag", "livery_event_feed_lag_seconds"],
  ["queueMail", "livery_mail_waiting", "livery_mail_oldest_waiting_seconds"]
] as const

/** How often the state is read again, in milliseconds. */
const pause = 10_000

/** A server that says why it is not ready. */
const notReady = (error: unknown): { readonly missing: string; readonly outgoing_paused?: true } => {
  const failure = failureOf(error)
  if (failure.status !== 503) throw failure
  return { missing: failure.message }
}

export const Health = ({ words }: { readonly words: PlatformWords }): JSX.Element => {
  const reading = useReading("health", async () => {
    const [ready, metrics] = await Promise.all([
      api.health.ready().catch(notReady),
      readMetrics().catch(() => new Map<string, ReadonlyArray<number>>())
    ])
    return { missing: undefined, ...ready, metrics }
  })
  useEffect(() => {
    const timer = setInterval(reading.reload, pause)
    return () => clearInterval(timer)
  }, [])
  const waiting = (metrics: ReadonlyMap<string, ReadonlyArray<number>>, count: string, age: string) => {
    const counts = metrics.get(count)
    if (counts === undefined) return words.none
    const number = counts.reduce((total, value) => total + value, 0)
    const seconds = Math.max(0, ...(metrics.get(age) ?? []))
    return number === 0
      ? format.number(0)
      : fill(words.waitingSince, {
          count: format.number(number),
          seconds: format.number(Math.round(seconds))
        })
  }
  return (
    <Loaded reading={reading} words={words}>
      {({ metrics, missing, outgoing_paused }) => (
        <section class="card record" aria-labelledby="health">
          <div class="record-head">
            <h2 id="health">{words.health}</h2>
            <button type="button" class="button small-button" onClick={reading.reload}>
              {words.reload}
            </button>
          </div>
          <Facts
            facts={[
              [
                words.server,
                missing === undefined ? (
                  <Badge tone="good">{words.ready}</Badge>
                ) : (
                  <>
                    <Badge tone="bad">{words.notReady}</Badge>
                    <span class="listed">{missing}</span>
                  </>
                )
              ],
              [
                words.outgoing,
                missing !== undefined ? undefined : outgoing_paused === true ? (
                  <Badge tone="warn">{words.paused}</Badge>
                ) : (
                  <Badge tone="good">{words.sending}</Badge>
                )
              ],
              ...queues.map(([name, count, age]) => [words[name], waiting(metrics, count, age)] as const)
            ]}
          />
          <p class="muted">{words.healthHelp}</p>
        </section>
      )}
    </Loaded>
  )
}

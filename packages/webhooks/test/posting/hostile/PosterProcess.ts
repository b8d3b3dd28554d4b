/**
 * A process that posts and measures its own memory, for the test beside it. A request is a line of JSON on standard input,
 * `{ url, times, connectTimeout, timeout }`. The response is a line with the outcomes.
 */
import { Effect, Schema } from "effect"
import { createInterface } from "node:readline"
import { type PostEnd, WebhookSender } from "../../../src/posting/WebhookSender.ts"

const Question = Schema.Struct({
  url: Schema.String,
  times: Schema.Int,
  connectTimeout: Schema.Int,
  timeout: Schema.Int
})
const decodeQuestion = Schema.decodeUnknownSync(Schema.fromJsonString(Question))

const collect = () => {
  for (let round = 0; round < 3; round++) globalThis.gc?.()
}

/** Milliseconds between the timeout of a POST and a timer that it must not outlast. */
const slack = 100

interface Outcome {
  readonly end: PostEnd
  readonly isInTime: boolean
}

/**
 * Posts once. Whether the POST ends in its time is measured by a timer of the same event loop: timers fire in the order of
 * their times, also when the process gets no processor for seconds.
 */
const post = (url: string, timeout: number): Effect.Effect<Outcome, never, WebhookSender> =>
  WebhookSender.use((sender) =>
    Effect.gen(function* () {
      let isInTime = true
      const timer = setTimeout(() => (isInTime = false), timeout + slack)
      const end = yield* sender.post({ url, headers: {}, body: '{"id":"evt_1"}' })
      clearTimeout(timer)
      return { end, isInTime }
    })
  )

/** Posts that many times at once, and measures the memory meanwhile. */
const answer = async ({ connectTimeout, timeout, times, url }: typeof Question.Type) => {
  collect()
  const before = process.memoryUsage().rss
  let most = before
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss)
  }, 10)
  const outcomes = await Effect.runPromise(
    Effect.all(
      Array.from({ length: times }, () => post(url, timeout)),
      { concurrency: "unbounded" }
    ).pipe(Effect.provide(WebhookSender.layer({ allowInsecure: true, connectTimeout, timeout })))
  )
  clearInterval(watch)
  most = Math.max(most, process.memoryUsage().rss)
  return {
    outcomes: outcomes.map(({ end, isInTime }) => ({
      acknowledged: end !== "unsent" && end.acknowledged,
      error: end === "unsent" ? end : end.error,
      isInTime
    })),
    grownMegabytes: (most - before) / 1024 ** 2
  }
}

for await (const line of createInterface({ input: process.stdin }))
  process.stdout.write(`${JSON.stringify(await answer(decodeQuestion(line)))}\n`)

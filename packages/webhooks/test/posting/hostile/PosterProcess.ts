/**
 * A process that posts and watches its own memory, for the test beside it. Asked on standard input, a line of JSON
 * each time, `{ url, times, connectTimeout, timeout }`; answers with a line of what came of it.
 */
import { Effect, Schema } from "effect"
import { createInterface } from "node:readline"
import { send } from "../../support/Send.ts"
import { WebhookSender } from "../../../src/posting/WebhookSender.ts"

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

/** Posts that many times at once, and looks at the memory while it does. */
const answer = async ({ connectTimeout, timeout, times, url }: typeof Question.Type) => {
  collect()
  const before = process.memoryUsage().rss
  let most = before
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss)
  }, 10)
  const post = send({ url, headers: {}, body: '{"id":"evt_1"}' })
  const timed = Effect.gen(function* () {
    const began = performance.now()
    const { acknowledged, error } = yield* post
    return { acknowledged, error, milliseconds: performance.now() - began }
  })
  const outcomes = await Effect.runPromise(
    Effect.all(
      Array.from({ length: times }, () => timed),
      { concurrency: "unbounded" }
    ).pipe(Effect.provide(WebhookSender.layer({ allowInsecure: true, connectTimeout, timeout })))
  )
  clearInterval(watch)
  most = Math.max(most, process.memoryUsage().rss)
  return { outcomes, grownMegabytes: (most - before) / 1024 ** 2 }
}

for await (const line of createInterface({ input: process.stdin }))
  process.stdout.write(`${JSON.stringify(await answer(decodeQuestion(line)))}\n`)

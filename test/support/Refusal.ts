import { assert } from "vitest"
import { type Answer, answerOf } from "./Client.ts"

/** The form of a request id. */
export const requestId = /^req_[0-9a-f]{24}$/u

/** Checks what holds for every refusal, and returns its status and type. */
export const refusalOf = ({ body, headers, status, text }: Answer): readonly [number, string | undefined] => {
  assert.isNotEmpty(body.error?.message, text)
  assert.match(body.meta.request_id, requestId)
  assert.strictEqual(headers.get("x-request-id"), body.meta.request_id)
  assert.match(String(headers.get("content-type")), /^application\/json/u)
  assert.notMatch(text, /<html|node_modules|\.[jt]s:\d|\bat \S+ \(/iu)
  return [status, body.error?.type]
}

/** The fields that a refusal names, each with its issue. */
export const issuesOf = ({ body }: Answer): Readonly<Record<string, string>> =>
  Object.fromEntries((body.error?.details ?? []).map(({ field, issue }) => [field, issue]))

/** A request without its address. */
export interface Sent {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | ReadableStream<Uint8Array>
}

/** Sends a request unchanged. */
export const sendTo = async (url: string, init: Sent = {}): Promise<Answer> =>
  answerOf(await fetch(url, { ...init, duplex: "half" }))

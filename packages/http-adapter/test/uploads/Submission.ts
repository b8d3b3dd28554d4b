/** Forms as they are sent, and what they leave behind. */
import { Effect, Schedule } from "effect"
import { TestClock } from "effect/testing"
import { readdir } from "node:fs/promises"
import { tmpdir } from "node:os"
import { type Answer, record, type Wire } from "../support/Wire.ts"

export const mebibyte = 1024 * 1024

export const formOf = (
  ...files: ReadonlyArray<readonly [field: string, bytes: Uint8Array<ArrayBuffer> | string]>
) => {
  const form = new FormData()
  for (const [field, bytes] of files)
    if (typeof bytes === "string") form.append(field, bytes)
    else form.append(field, new Blob([bytes], { type: "text/html" }), "../../evil.html")
  return form
}

export const upload = (
  wire: Wire,
  credential: string,
  form: Uint8Array<ArrayBuffer>,
  headers: Record<string, string>
) => wire.send("POST", "/uploads", { credential, form, headers })

/** A form as its bytes, so that a refusal halfway through does not disturb its writer. */
export const submit = Effect.fnUntraced(function* (
  wire: Wire,
  credential: string,
  form: FormData,
  headers: Record<string, string> = {}
) {
  const response = new Response(form)
  const bytes = new Uint8Array(yield* Effect.promise(() => response.arrayBuffer()))
  return yield* upload(wire, credential, bytes, {
    ...headers,
    "content-type": response.headers.get("content-type") ?? ""
  })
})

export const pathOf = (answer: Answer) => new URL(String(record(answer)["url"])).pathname

/** What multipart requests have on this machine's disk: directories with names of six letters. */
export const temporary = Effect.promise(async () =>
  (await readdir(tmpdir())).filter((name) => /^[A-Za-z0-9]{6}$/u.test(name))
)

/** Nothing is there that was not: what a request had goes a moment after its answer. */
export const assertNothingLeft = (before: ReadonlyArray<string>) =>
  Effect.flatMap(temporary, (now) => {
    const left = now.filter((name) => !before.includes(name))
    return left.length === 0 ? Effect.void : Effect.fail(`Left: ${left.join(", ")}`)
  }).pipe(Effect.retry({ schedule: Schedule.spaced("20 millis"), times: 250 }), TestClock.withLive)

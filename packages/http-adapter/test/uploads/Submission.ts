/** Forms as requests send them, and the files that they leave. */
import { Effect, Schedule } from "effect"
import { TestClock } from "effect/testing"
import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll } from "vitest"
import { type Answer, record, type TestServer } from "../support/TestServer.ts"

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
  server: TestServer,
  credential: string,
  form: Uint8Array<ArrayBuffer>,
  headers: Record<string, string>
) => server.send("POST", "/uploads", { credential, form, headers })

/** The bytes of a form, so that a refusal during the upload does not affect the writer. */
export const submitTo = Effect.fnUntraced(function* (
  server: TestServer,
  path: string,
  credential: string,
  form: FormData,
  headers: Record<string, string> = {}
) {
  const response = new Response(form)
  const bytes = new Uint8Array(yield* Effect.promise(() => response.arrayBuffer()))
  return yield* server.send("POST", path, {
    credential,
    form: bytes,
    headers: { ...headers, "content-type": response.headers.get("content-type") ?? "" }
  })
})

/** Uploads a form. */
export const submit = (
  server: TestServer,
  credential: string,
  form: FormData,
  headers: Record<string, string> = {}
) => submitTo(server, "/uploads", credential, form, headers)

export const pathOf = (answer: Answer) => new URL(String(record(answer)["url"])).pathname

/**
 * Gives the temporary files of a test file a directory of their own: other processes, and tests on other threads, upload
 * files at the same time.
 */
export const useOwnTemporaryDirectory = () => {
  const former = process.env["TMPDIR"]
  beforeAll(async () => {
    process.env["TMPDIR"] = await mkdtemp(join(tmpdir(), "livery-forms-"))
  })
  afterAll(async () => {
    await rm(tmpdir(), { recursive: true })
    if (former === undefined) delete process.env["TMPDIR"]
    else process.env["TMPDIR"] = former
  })
}

/** The temporary directories of multipart requests: their names have six letters. */
export const temporary = Effect.promise(async () =>
  (await readdir(tmpdir())).filter((name) => /^[A-Za-z0-9]{6}$/u.test(name))
)

/** Checks that no directory is left. A request's directory is removed shortly after its response. */
export const assertNothingLeft = (before: ReadonlyArray<string>) =>
  Effect.flatMap(temporary, (now) => {
    const left = now.filter((name) => !before.includes(name))
    return left.length === 0 ? Effect.void : Effect.fail(`Left: ${left.join(", ")}`)
  }).pipe(Effect.retry({ schedule: Schedule.spaced("20 millis"), times: 250 }), TestClock.withLive)

/**
 * Measures whether response times reveal which emails have an account: sends wrong passwords for a known email, an
 * unverified account and an unknown email, and requests for a reset and for another verification code for the same
 * three. Prints the median of each, and the largest difference between the three.
 *
 *     npm run build && node bench/login-timing.ts [tries]
 *
 * Starts `livery serve` on an empty directory of its own. All tries are sent in one random order, so
 * that the work that a try leaves behind, such as writing its message, affects all three equally.
 */
import { spawn } from "node:child_process"
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { fileURLToPath } from "node:url"

const tries = Number(process.argv[2] ?? 200)
const executable = fileURLToPath(new URL("../packages/cli/bin/livery.js", import.meta.url))
const directory = await mkdtemp(join(tmpdir(), "livery-bench-"))

const server = spawn(process.execPath, [executable, "serve"], {
  env: { PATH: process.env["PATH"], LIVERY_DATA_DIR: directory, PORT: "0", RATE_LIMIT_AUTH: "100000000" },
  stdio: ["ignore", "pipe", "ignore"]
})
const api = await new Promise<string>((resolve, reject) => {
  let said = ""
  server.stdout.setEncoding("utf8").on("data", (text: string) => {
    said += text
    const found = /http:\/\/\S+\/api\/v1/u.exec(said)?.[0]
    if (found !== undefined) resolve(found)
  })
  server.once("exit", () => reject(new Error(`livery serve did not start: ${said}`)))
})

const post = async (path: string, body: object) => {
  const response = await fetch(`${api}${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body)
  })
  const text = await response.text()
  return { status: response.status, text }
}

const password = "a quiet long password"

const register = async (email: string) => {
  const { status } = await post("/auth/register", { name: "Bench", email, password, business_name: "Bench" })
  if (status !== 201) throw new Error(`The registration failed with ${status}`)
}

const codeIn = async (): Promise<string> => {
  for (;;) {
    const names = await readdir(join(directory, "mail")).catch(() => [])
    const name = names.find((it) => it.endsWith(".eml"))
    if (name !== undefined) {
      const message = await readFile(join(directory, "mail", name), "utf8")
      return /\b[0-9A-Z]{4}(?:-[0-9A-Z]{4}){3}\b/u.exec(message)?.[0] ?? ""
    }
    await setTimeout(20)
  }
}

const median = (times: ReadonlyArray<number>) =>
  times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? Number.NaN

const shuffled = <A>(all: ReadonlyArray<A>): ReadonlyArray<A> =>
  all
    .map((one) => ({ one, at: Math.random() }))
    .toSorted((left, right) => left.at - right.at)
    .map(({ one }) => one)

const compare = async (title: string, kinds: Readonly<Record<string, () => Promise<unknown>>>) => {
  const times = new Map<string, Array<number>>(Object.keys(kinds).map((kind) => [kind, []]))
  for (const [, ask] of Object.entries(kinds)) for (let warm = 0; warm < 20; warm++) await ask()
  const all = Object.entries(kinds).flatMap((kind) => Array.from({ length: tries }, () => kind))
  for (const [kind, ask] of shuffled(all)) {
    const began = performance.now()
    await ask()
    times.get(kind)?.push(performance.now() - began)
  }
  const medians = [...times].map(([kind, each]) => [kind, median(each)] as const)
  const values = medians.map(([, value]) => value)
  const lines = medians.map(([kind, value]) => `${kind} ${value.toFixed(2)} ms`).join(", ")
  const ratio = Math.max(...values) / Math.min(...values)
  process.stdout.write(`${title}: ${lines}; slowest to quickest ${ratio.toFixed(3)}\n`)
}

try {
  const [known, unverified] = ["known@bench.example", "unverified@bench.example"]
  await register(known)
  const verified = await post("/auth/verify-email", { code: await codeIn() })
  if (!verified.text.includes("true")) throw new Error("The account was not verified")
  await register(unverified)

  const emails = {
    "known email": known,
    "unverified account": unverified,
    "unknown email": "no@bench.example"
  }
  const asking = (path: string, more: object = {}) =>
    Object.fromEntries(
      Object.entries(emails).map(([kind, email]) => [kind, () => post(path, { email, ...more })])
    )
  await compare("login", asking("/auth/login", { password: "not the password" }))
  await compare("password reset", asking("/auth/password-reset"))
  await compare("resend", asking("/auth/verify-email/resend"))
} finally {
  server.kill("SIGTERM")
  await new Promise((resolve) => server.once("exit", resolve))
  await rm(directory, { recursive: true, force: true })
}

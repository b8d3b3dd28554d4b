/**
 * Measures an import of a table of customers, and the same table again.
 *
 *     node bench/imports.ts ADDRESS KEY [lines]
 *
 * ADDRESS is that of a running server, KEY an API key of a business without customers: `livery serve --sandbox` prints both.
 */
const [address = "http://127.0.0.1:3000", key = "", count = "50000"] = process.argv.slice(2)

const authorization = { authorization: `Bearer ${key}` }

interface Progress {
  readonly import_id: number
  readonly status: "running" | "finished" | "failed"
  readonly lines: number
  readonly done: number
}

const table = [
  "external_ref,name,email,phone,company,address,notes",
  ...Array.from(
    { length: Number(count) },
    (_, at) =>
      `C-${at},Ada Lovelace ${at},ada${at}@example.com,+41 44 ${String(1_000_000 + at)},Engines ${at},"Bahnhofstrasse ${at}, 8001 Zurich",`
  )
].join("\n")

const dataOf = async (response: Response): Promise<Progress> => {
  const body = (await response.json()) as { readonly data: Progress; readonly error?: unknown }
  if (!response.ok) throw new Error(JSON.stringify(body.error))
  return body.data
}

for (const turn of ["first", "again"]) {
  const began = performance.now()
  const form = new FormData()
  form.set("file", new Blob([table]), "customers.csv")
  form.set("as", "customers")
  let current = await dataOf(
    await fetch(`${address}/api/v1/imports`, { method: "POST", headers: authorization, body: form })
  )
  const accepted = performance.now() - began
  while (current.status === "running") {
    await new Promise((resolve) => setTimeout(resolve, 100))
    current = await dataOf(
      await fetch(`${address}/api/v1/imports/${current.import_id}`, { headers: authorization })
    )
  }
  const seconds = (performance.now() - began) / 1000
  process.stdout.write(
    `${turn}: ${seconds.toFixed(1)} s, accepted after ${accepted.toFixed(0)} ms, ${Math.round(current.lines / seconds)} lines a second, ${JSON.stringify(current)}\n`
  )
}

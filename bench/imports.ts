/**
 * Measures an import of a table, and the same table again.
 *
 *     node bench/imports.ts ADDRESS KEY [lines] [customers|drivers|cars|trips]
 *
 * ADDRESS is that of a running server, KEY an API key of a business without such records: `livery serve --sandbox` prints both. For
 * trips, half of the lines are in the past, and each names one of the customers of the table of customers by its `external_ref`;
 * without these customers, import 1,000 of them first.
 */
const [address = "http://127.0.0.1:3000", key = "", count = "50000", kind = "customers"] =
  process.argv.slice(2)

const authorization = { authorization: `Bearer ${key}` }

interface Progress {
  readonly import_id: number
  readonly status: "running" | "finished" | "failed"
  readonly lines: number
  readonly done: number
}

/** The header and the line of a number, by kind. */
const tables: Readonly<Record<string, readonly [header: string, line: (at: number) => string]>> = {
  customers: [
    "external_ref,name,email,phone,company,address,notes",
    (at) =>
      `C-${at},Ada Lovelace ${at},ada${at}@example.com,+41 44 ${String(1_000_000 + at)},Engines ${at},"Bahnhofstrasse ${at}, 8001 Zurich",`
  ],
  drivers: ["external_ref,name,email,active", (at) => `D-${at},Dan ${at},dan${at}@example.com,no`],
  cars: [
    "external_ref,name,plate_number,vehicle_class,seats,active",
    (at) => `V-${at},Car ${at},ZH ${at},sedan,4,no`
  ],
  trips: [
    "external_ref,trip_date,pickup_address,dropoff_address,customer_ref,total_amount,passengers,notes",
    (at) =>
      `T-${at},20${at % 2 === 0 ? "24" : "40"}-03-${String(1 + (at % 28)).padStart(2, "0")}T${String(at % 24).padStart(2, "0")}:15,"Bahnhofstrasse ${at}, Zurich",Airport Zurich,C-${at % 1000},129.50,2,Sign at gate ${at}`
  ]
}
const [header, lineOf] = tables[kind] ?? ["", () => ""]
const table = [header, ...Array.from({ length: Number(count) }, (_, at) => lineOf(at))].join("\n")

const dataOf = async (response: Response): Promise<Progress> => {
  const body = (await response.json()) as { readonly data: Progress; readonly error?: unknown }
  if (!response.ok) throw new Error(JSON.stringify(body.error))
  return body.data
}

for (const turn of ["first", "again"]) {
  const began = performance.now()
  const form = new FormData()
  form.set("file", new Blob([table]), `${kind}.csv`)
  form.set("as", kind)
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

import { assert, layer } from "@effect/vitest"
import { BusinessRepository, BusinessId, ImportedBusinesses } from "@livery/domain"
import { Effect, Schema, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { memberOf } from "../support/People.ts"
import { tenant } from "../support/Tenant.ts"
import { Ports } from "../support/TestPorts.ts"
import { openServer, record, records, refusedAs } from "../support/TestServer.ts"
import { BusinessExport, BusinessImport } from "./TransferSteps.ts"

const Line = Schema.Record(Schema.String, Schema.Json)
const Head = Schema.Struct({ plan: Schema.String, business: Line })
const decodeHead = Schema.decodeUnknownSync(Head)
const Row = Schema.Struct({ table: Schema.String, row: Line })
const decodeRow = Schema.decodeUnknownSync(Row)

const onProgress = () => {}

/** The export of a business in the form that the import reads, in batches of three rows. */
const exportOf = Effect.fnUntraced(function* (id: number) {
  const businessId = BusinessId.make(id)
  const lines: Array<unknown> = []
  const made = yield* BusinessExport.exportBusiness({
    businessId,
    write: (line) => Effect.sync(() => void lines.push(JSON.parse(JSON.stringify(line)))),
    onProgress
  })
  const head = decodeHead(lines[0])
  const batches: Array<Array<typeof Row.Type>> = []
  for (const line of lines.slice(1, -1)) {
    const row = decodeRow(line)
    const last = batches.at(-1)
    if (last === undefined || last.length === 3 || last[0]?.table !== row.table) batches.push([row])
    else last.push(row)
  }
  return {
    ...made,
    lines,
    batches,
    exported: {
      sha256: `sum of business ${businessId}`,
      sourceId: businessId,
      plan: head.plan,
      business: head.business,
      tables: made.tables,
      columns: Object.fromEntries(
        batches.map(([first]) => [first?.table ?? "", Object.keys(first?.row ?? {})])
      ),
      batches: Stream.fromIterable(batches)
    }
  }
})

const statusOf = Effect.fnUntraced(function* (businessId: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{
    status: string
  }>`SELECT status FROM businesses WHERE business_id = ${businessId}`
  return row?.status
})

layer(Ports)("a business that moves to another installation", (it) => {
  it.effect("has the same rows with the same ids there, found by the same words, and its own next ids", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const server = yield* openServer()
      const { businessId, ids } = yield* tenant(server)
      yield* sql`UPDATE trips SET linked_trip_id = (SELECT max(trip_id) FROM trips WHERE business_id = ${businessId})
        WHERE business_id = ${businessId} AND trip_id = (SELECT min(trip_id) FROM trips WHERE business_id = ${businessId})`
      const { exported, rows, tables } = yield* exportOf(businessId)
      for (const table of [
        "trips",
        "invoices",
        "payments",
        "quotes",
        "bookings",
        "customers",
        "credit_notes"
      ])
        assert.isAbove(tables[table]?.rows ?? 0, 0, table)
      const made = yield* BusinessImport.importBusiness(exported, {
        actor: "test",
        slug: "moved",
        onProgress
      })
      assert.deepStrictEqual([made.rows, made.isResumed], [rows, false])
      assert.strictEqual(yield* statusOf(made.businessId), "A")
      const again = yield* exportOf(made.businessId)
      assert.deepStrictEqual(again.tables, tables)

      const [linked] = yield* sql<{ same: boolean }>`
        SELECT count(*) = 1 AS same FROM trips WHERE business_id = ${made.businessId} AND linked_trip_id IS NOT NULL`
      assert.isTrue(linked?.same)
      const [words] = yield* sql<{ wrong: number; right: number }>`
        SELECT count(*) FILTER (WHERE search::text NOT LIKE ${`'${made.businessId}:%`})::int AS wrong, count(*)::int AS right
        FROM trip_search WHERE business_id = ${made.businessId}`
      assert.deepStrictEqual([words?.wrong, (words?.right ?? 0) > 0], [0, true])
      const [next] = yield* sql<{ is_free: boolean }>`
        SELECT nextval(pg_get_serial_sequence('trips', 'trip_id')) > ${ids.trip} AS is_free`
      assert.isTrue(next?.is_free)
      const audited = yield* sql<{ action: string }>`
        SELECT action FROM audit_log WHERE business_id = ${made.businessId} ORDER BY audit_id`
      assert.deepStrictEqual(
        audited.map(({ action }) => action),
        ["business.import_started", "business.imported"]
      )
      const twice = yield* Effect.flip(
        BusinessImport.importBusiness(exported, { actor: "test", slug: "other", onProgress })
      )
      assert.strictEqual(twice._tag, "Conflict")
      assert.include(twice.message, `was imported as business ${made.businessId}`)
    })
  )

  it.effect(
    "has invoices there that their payment_hash opens, which names the new business and no other",
    () =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const { businessId, ids, key } = yield* tenant(server)
        const path = `/invoices/${ids.creditedInvoice}`
        const former = record(yield* server.send("GET", path, { credential: key }))
        const { exported } = yield* exportOf(businessId)
        const made = yield* BusinessImport.importBusiness(exported, {
          actor: "test",
          slug: "payable",
          onProgress
        })
        const credential = yield* memberOf(server, made.businessId, "owner")
        const invoice = record(yield* server.send("GET", path, { credential }))
        const hash = String(invoice["payment_hash"])
        const shown = record(yield* server.send("GET", `/public/invoices/${hash}`))
        assert.strictEqual(shown["number"], former["number"])
        const secret = (text: unknown) => String(text).replace(/^inv_[0-9a-z]+_/u, "")
        assert.strictEqual(secret(hash), secret(former["payment_hash"]))
        const businesses = yield* BusinessRepository
        assert.isTrue(hash.startsWith(`inv_${yield* businesses.linkKeyOf(made.businessId)}_`), hash)
        for (const key of [made.businessId, "b00000000000"]) {
          const misdirected = `/public/invoices/inv_${key}_${secret(hash)}`
          refusedAs(yield* server.send("GET", misdirected), 404, "not_found")
        }
      })
  )

  it.effect("has timelines there that name no user or key of the new installation as an author", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const server = yield* openServer()
      const { businessId, ids, key, token, userId } = yield* tenant(server)
      const path = `/trips/${ids.trip}`
      record(yield* server.send("PATCH", path, { credential: token, body: { notes: "Gate 4" } }))
      yield* sql`
        INSERT INTO trip_changes (business_id, trip_id, at, actor, change) VALUES
          (${businessId}, ${ids.trip}, now(), ${`driver:${ids.driver}`}, 'updated'),
          (${businessId}, ${ids.trip}, now(), 'customer', 'updated'),
          (${businessId}, ${ids.trip}, now(), 'cli:anna', 'updated'),
          (${businessId}, ${ids.trip}, now(), 'imported:user:2', 'updated')`
      const timeline = (credential: string) =>
        Effect.map(server.send("GET", `${path}/timeline`, { credential }), (answer) =>
          records(answer).map(({ actor, actor_name, at, change }) => ({ actor, actor_name, at, change }))
        )
      const before = yield* timeline(key)
      const { exported } = yield* exportOf(businessId)
      const made = yield* BusinessImport.importBusiness(exported, {
        actor: "test",
        slug: "authors",
        onProgress
      })
      const after = yield* timeline(yield* memberOf(server, made.businessId, "owner"))
      assert.deepStrictEqual(
        after,
        before.map((entry) =>
          /^(?:user|api_key|cli):/u.test(String(entry.actor))
            ? { ...entry, actor: `imported:${String(entry.actor)}`, actor_name: null }
            : entry
        )
      )
      const actors = after.map(({ actor }) => actor)
      assert.includeMembers(actors, [
        `imported:user:${userId}`,
        `driver:${ids.driver}`,
        "customer",
        "imported:cli:anna",
        "imported:user:2"
      ])
      assert.isTrue(actors.some((actor) => String(actor).startsWith("imported:api_key:lvk_")))
    })
  )

  it.effect("has no other author, or token with the business's link key, than its import changes", () =>
    Effect.gen(function* () {
      const { businessId } = yield* tenant(yield* openServer())
      const { batches } = yield* exportOf(businessId)
      const rows = batches.flat().map(({ row, table }) => ({ ...row, table }))
      const columnsWith = (pattern: RegExp) => [
        ...new Set(
          rows.flatMap(({ table, ...row }) =>
            Object.entries(row).flatMap(([column, value]) =>
              pattern.test(JSON.stringify(value)) ? [`${table}.${column}`] : []
            )
          )
        )
      ]
      assert.deepStrictEqual(columnsWith(/"(?:user|api_key|cli):/u), [
        "invoice_changes.actor",
        "trip_changes.actor"
      ])
      assert.deepStrictEqual(columnsWith(/"(?:drv|lvt|inv|lvq)_[0-9a-z]+_/u), ["invoices.payment_hash"])
    })
  )

  it.effect("has no credential in its export", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { businessId, key } = yield* tenant(server)
      const { lines } = yield* exportOf(businessId)
      const text = JSON.stringify(lines)
      assert.notInclude(text, key)
      for (const name of ["token_hash", "key_hash", '_sealed"', "password", "code_hash"])
        assert.notInclude(text, name)
    })
  )

  it.effect("is imported to its end by a second run after an interruption, and is suspended until then", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { businessId } = yield* tenant(yield* openServer())
      const { batches, exported, rows } = yield* exportOf(businessId)
      const interrupted = {
        ...exported,
        batches: Stream.concat(
          Stream.fromIterable(batches.slice(0, Math.floor(batches.length / 2))),
          Stream.fail("interrupted")
        )
      }
      const options = { actor: "test", slug: "resumed", onProgress }
      assert.strictEqual(
        yield* Effect.flip(BusinessImport.importBusiness(interrupted, options)),
        "interrupted"
      )
      const [row] = yield* sql<{
        id: number
      }>`SELECT business_id AS id FROM businesses WHERE vendor_slug = 'resumed'`
      assert.strictEqual(yield* statusOf(row?.id ?? 0), "D")
      const made = yield* BusinessImport.importBusiness(exported, options)
      assert.deepStrictEqual(
        [made.businessId, made.rows, made.isResumed],
        [BusinessId.make(row?.id ?? 0), rows, true]
      )
      assert.strictEqual(yield* statusOf(made.businessId), "A")
    })
  )

  it.effect("stays suspended if a row differs, and is refused if its slug or its plan is not free here", () =>
    Effect.gen(function* () {
      const { businessId } = yield* tenant(yield* openServer())
      const { batches, exported } = yield* exportOf(businessId)
      const changed = batches.map((rows) =>
        rows.map(({ row, table }) => ({ table, row: table === "cars" ? { ...row, name: "Other" } : row }))
      )
      const refusal = (change: Partial<typeof exported>, slug?: string) =>
        Effect.map(
          Effect.flip(
            BusinessImport.importBusiness({ ...exported, ...change }, { actor: "test", slug, onProgress })
          ),
          (error) => error.message
        )
      assert.match(yield* refusal({}), /has the slug .* already: choose another with --slug/u)
      assert.match(yield* refusal({ plan: "none" }, "plan"), /There is no plan none here/u)
      assert.match(
        yield* refusal({ sha256: "changed", batches: Stream.fromIterable(changed) }, "changed"),
        /^cars has .* rows, or other values: business \d+ stays suspended$/u
      )
    })
  )

  it.effect("is refused with a slug that no booking page can have, and nothing is written", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { businessId } = yield* tenant(yield* openServer())
      const { exported } = yield* exportOf(businessId)
      const written = sql`SELECT (SELECT count(*) FROM businesses) AS businesses, (SELECT count(*) FROM audit_log) AS audit`
      const before = yield* written
      for (const slug of ["My Cars!", "my--cars", " ", "x".repeat(61)]) {
        const refusal = yield* Effect.flip(
          BusinessImport.importBusiness(exported, { actor: "test", slug, onProgress })
        )
        assert.strictEqual(
          refusal.message,
          `The slug ${slug} has another form than 1 to 60 lower-case letters, digits and single hyphens: choose another with --slug`
        )
      }
      assert.deepStrictEqual(yield* written, before)
    })
  )

  it.effect("is a Conflict for the insert if another import has stored its slug meanwhile", () =>
    Effect.gen(function* () {
      const { businessId } = yield* tenant(yield* openServer())
      const { exported } = yield* exportOf(businessId)
      const insert = ImportedBusinesses.use((imports) =>
        imports.insert({ ...exported.business, vendor_slug: "stored-meanwhile" }, exported.plan)
      )
      yield* insert
      const refusal = yield* Effect.flip(insert)
      assert.strictEqual(refusal.message, "Another business has that vendor_slug")
    })
  )

  it.effect("of another version, with other tables or columns, is refused, and nothing is written", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { businessId } = yield* tenant(yield* openServer())
      const { exported } = yield* exportOf(businessId)
      const { business, columns, tables } = exported
      const { currency: _currency, ...lacking } = business
      const written = sql`SELECT (SELECT count(*) FROM businesses) AS businesses, (SELECT count(*) FROM audit_log) AS audit`
      const before = yield* written
      for (const [change, named] of [
        [{ tables: { ...tables, planes: { rows: 0, sum: "0" } } }, "planes"],
        [{ columns: { ...columns, planes: ["plane_id"] } }, "planes (plane_id)"],
        [{ columns: { ...columns, cars: [...(columns["cars"] ?? []), "wings"] } }, "cars (wings)"],
        [
          { columns: { ...columns, cars: columns["cars"]?.filter((name) => name !== "name") ?? [] } },
          "cars (name)"
        ],
        [{ business: { ...business, wings: 2 } }, "businesses (wings)"],
        [{ business: lacking }, "businesses (currency)"]
      ] as const) {
        const refusal = yield* Effect.flip(
          BusinessImport.importBusiness(
            { ...exported, ...change },
            { actor: "test", slug: `other-${businessId}`, onProgress }
          )
        )
        assert.include(refusal.message, `The export is of another version of Livery`)
        assert.include(refusal.message, ` ${named}: `)
      }
      assert.deepStrictEqual(yield* written, before)
    })
  )
})

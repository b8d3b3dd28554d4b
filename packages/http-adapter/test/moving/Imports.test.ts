/** Importing tables over HTTP, by the worker. */
import { assert, layer } from "@effect/vitest"
import { NoticeRepository } from "@livery/domain"
import { DateTime, Effect } from "effect"
import { Ports } from "../support/TestPorts.ts"
import { record, refusedAs } from "../support/TestServer.ts"
import { submitTo } from "../uploads/Submission.ts"
import { counts, given, sweep } from "./Importing.ts"

const customers = [
  "Kundennummer;Vorname;Nachname;E-Mail;Telefon;PLZ;Ort;Land",
  "K-1;Ada;Lovelace;ada@example.com;+41 44 668 18 00;8001;Zürich;Schweiz",
  "K-2;Grace;Hopper;no address;;;;",
  "K-3;Jo;Clarke;;044 668 18 01;;;"
].join("\r\n")

layer(Ports)("imports", (it) => {
  it.effect(
    "make the lines customers, and say why a line is refused; the same table again changes nothing",
    () =>
      Effect.gen(function* () {
        const { all, lines, refused, run } = yield* given
        const first = yield* run("customers", customers)
        assert.deepInclude(first, counts(2, 0, 0, 1))
        const [ada] = yield* all("/customers")
        assert.deepInclude(ada, {
          external_ref: "K-1",
          name: "Ada Lovelace",
          email: "ada@example.com",
          address: "8001 Zürich",
          country: "CH"
        })
        const [wrong] = yield* lines(first, "?status=refused")
        assert.deepInclude(wrong, { line: 3, status: "refused", reasons: ["email invalid"] })
        assert.deepInclude(yield* run("customers", customers), counts(0, 2, 0, 1))
        const mended = (yield* refused(first)).replace("no address", "grace@example.com")
        assert.match(mended, /;why\r\nK-2;Grace;Hopper;grace@example.com;.*email invalid\r\n$/u)
        assert.deepInclude(yield* run("customers", mended), counts(1, 0, 0, 0))
        assert.lengthOf(yield* all("/customers"), 3)
      })
  )

  it.effect("give refused lines back with the delimiter of the file, in UTF-8 with its mark", () =>
    Effect.gen(function* () {
      const { refused, run, send } = yield* given
      const table = 'Name;E-Mail;Notizen\r\nMüller, Jörg;falsch;"zwei; drei"\r\n'
      const first = yield* run("customers", Buffer.from(table, "latin1"))
      const { headers, text } = yield* send("GET", `/imports/${String(first["import_id"])}/refused`)
      // What reads the text leaves out the mark, which has three bytes.
      assert.strictEqual(Number(headers.get("content-length")), Buffer.byteLength(text) + 3)
      assert.strictEqual(
        text,
        'Name;E-Mail;Notizen;why\r\nMüller, Jörg;falsch;"zwei; drei";email invalid\r\n'
      )
      const mended = (yield* refused(first)).replace("falsch", "joerg@example.com")
      assert.deepInclude(yield* run("customers", mended), counts(1, 0, 0, 0))
    })
  )

  it.effect("find a customer by the email or the phone number in any spelling, and change what differs", () =>
    Effect.gen(function* () {
      const { all, customer, run } = yield* given
      yield* customer({ name: "Ada", email: "ada@example.com" })
      yield* customer({ name: "Jo", phone: "+41 44 668 18 01" })
      const table =
        "name,email,phone,company\nAda,ADA@example.com,,Engines\nJo,,+41446681801,\nJo,,0041 44 668 18 01,"
      assert.deepInclude(yield* run("customers", table), counts(0, 2, 1, 0))
      const found = yield* all("/customers")
      assert.deepStrictEqual(
        found.map(({ company }) => company),
        ["Engines", null]
      )
    })
  )

  it.effect("with dry_run say what would become of each line, and store nothing", () =>
    Effect.gen(function* () {
      const { all, lines, run } = yield* given
      const made = yield* run("customers", customers, { dry_run: true })
      assert.deepInclude(made, { ...counts(2, 0, 0, 1), dry_run: true })
      assert.deepStrictEqual(
        (yield* lines(made)).map(({ status }) => status),
        ["made", "refused", "made"]
      )
      assert.lengthOf(yield* all("/customers"), 0)
    })
  )

  it.effect("are refused with every wrong field of the form named", () =>
    Effect.gen(function* () {
      const { server, key } = yield* given
      const form = new FormData()
      for (const [name, value] of Object.entries({ as: "things", map: "{", dry_run: "perhaps", file: "" }))
        form.set(name, value)
      const details = refusedAs(yield* submitTo(server, "/imports", key, form), 422, "invalid_request")
      assert.sameMembers(
        (details ?? []).map(({ field, issue }) => `${String(field)} ${String(issue)}`),
        ["file required", "as unknown_value", "map invalid", "dry_run invalid"]
      )
      const twice = new FormData()
      for (const name of ["one.csv", "two.csv"]) twice.append("file", new Blob(["name\nAda"]), name)
      assert.sameMembers(
        (refusedAs(yield* submitTo(server, "/imports", key, twice), 422, "invalid_request") ?? []).map(
          ({ field, issue }) => `${String(field)} ${String(issue)}`
        ),
        ["file invalid", "as required"]
      )
    })
  )

  it.effect("are refused without a needed column, and with a map that does not fit", () =>
    Effect.gen(function* () {
      const { start } = yield* given
      const issues = (answer: Effect.Success<ReturnType<typeof start>>) =>
        refusedAs(answer, 422, "invalid_request")?.map(({ field, issue }) => [field, issue])
      assert.deepStrictEqual(issues(yield* start("customers", "a,b\n1,2")), [["columns.name", "required"]])
      assert.deepStrictEqual(issues(yield* start("things", "")), [["as", "unknown_value"]])
      assert.deepStrictEqual(issues(yield* start("customers", "")), [["file", "required"]])
      const oldExcel = Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0, 10, 65])
      assert.deepStrictEqual(issues(yield* start("customers", oldExcel)), [["file", "invalid"]])
      const map = JSON.stringify({ a: "name", c: "email", b: "colour" })
      assert.deepStrictEqual(issues(yield* start("customers", "a,b\n1,2", { map })), [
        ["map.c", "not_found"],
        ["map.b", "unknown_value"]
      ])
    })
  )

  it.effect("say what they would read of each column of a table, and store nothing", () =>
    Effect.gen(function* () {
      const { all, columns } = yield* given
      const read = record(yield* columns("customers", "Klient;E-Mail\nAda;ada@example.com\n\nJo;"))
      assert.deepInclude(read, {
        columns: [
          { header: "Klient", field: null },
          { header: "E-Mail", field: "email" }
        ],
        lines: 2,
        first_lines: [
          { line: 2, cells: ["Ada", "ada@example.com"] },
          { line: 4, cells: ["Jo", ""] }
        ],
        needed: [["name", "last_name", "first_name", "company"]]
      })
      assert.includeMembers(read["fields"] as Array<string>, ["name", "email", "vat_number"])
      assert.lengthOf(yield* all("/imports"), 0)
    })
  )

  it.effect("refuse to read the columns of a file that is no table, and with a map that does not fit", () =>
    Effect.gen(function* () {
      const { columns } = yield* given
      const issues = (answer: Effect.Success<ReturnType<typeof columns>>) =>
        refusedAs(answer, 422, "invalid_request")?.map(({ field, issue }) => [field, issue])
      assert.deepStrictEqual(issues(yield* columns("customers", "name,email")), [["file", "required"]])
      assert.deepStrictEqual(issues(yield* columns("things", "name\nAda")), [["as", "unknown_value"]])
      const map = JSON.stringify({ name: "colour" })
      assert.deepStrictEqual(issues(yield* columns("customers", "name\nAda", { map })), [
        ["map.name", "unknown_value"]
      ])
    })
  )

  it.effect("map each of two headers that differ in their signs alone", () =>
    Effect.gen(function* () {
      const { all, run } = yield* given
      const map = JSON.stringify({ Name: "name", "E-Mail": "email", Email: null })
      const table = "Name,E-Mail,Email\nAda,ada@example.com,office@example.com"
      assert.deepInclude(yield* run("customers", table, { map }), counts(1, 0, 0, 0))
      assert.strictEqual((yield* all("/customers"))[0]?.["email"], "ada@example.com")
    })
  )

  it.effect("are listed, the latest first; optionally without those that store nothing", () =>
    Effect.gen(function* () {
      const { all, run } = yield* given
      const first = yield* run("customers", "name\nAda")
      const second = yield* run("customers", "name\nJo", { dry_run: true })
      const ids = (listed: ReadonlyArray<Readonly<Record<string, unknown>>>) =>
        listed.map(({ import_id }) => import_id)
      assert.deepStrictEqual(ids(yield* all("/imports")), [second["import_id"], first["import_id"]])
      assert.deepStrictEqual(ids(yield* all("/imports?dry_run=false")), [first["import_id"]])
    })
  )

  it.effect("keep the numbers of open invoices, and the next invoice follows them", () =>
    Effect.gen(function* () {
      const { all, customer, run, send } = yield* given
      yield* customer({ name: "Ada" })
      const table = [
        "Rechnungsnummer;Kunde;Rechnungsdatum;fällig am;offener Betrag",
        "RE-2026-0122;Ada;01.10.2026;31.10.2026;1.200,50",
        "RE-2026-0123;Ada;02.11.2026;;80",
        "RE-2026-0124;Nobody;02.11.2026;;80"
      ].join("\n")
      const made = yield* run("invoices", table)
      assert.deepInclude(made, counts(2, 0, 0, 1))
      assert.deepInclude(yield* run("invoices", table), counts(0, 2, 0, 1))
      const stored = yield* all("/invoices")
      assert.sameMembers(
        stored.map(({ amount_due, number }) => `${String(number)} ${String(amount_due)}`),
        ["RE-2026-0122 1200.5", "RE-2026-0123 80"]
      )
      const next = record(
        yield* send("POST", "/invoices", { items: [{ description: "Ride", unit_price: 1 }] })
      )
      assert.strictEqual(next["number"], "RE-2026-0124")
    })
  )

  it.effect("make trips of their customers and cars, and end those that are over", () =>
    Effect.gen(function* () {
      const { all, run } = yield* given
      yield* run("customers", "name,external_ref\nAda,K-1")
      assert.deepInclude(
        yield* run("cars", "name,plate,class,seats\nBlack,ZH 1,Luxury Sedan,4"),
        counts(1, 0, 0, 0)
      )
      const table = [
        "Conf #,PU Date,PU Time,PU Address,DO Address,Account #,Passenger Name,Car,Grand Total",
        "1001,12/24/2026,6:30 PM,Airport,Hotel,K-1,Ada,zh1,$129.50",
        "1002,1/15/2026,9:00 AM,Hotel,Airport,K-1,Ada,,80",
        "1003,13/45/2026,9:00 AM,Hotel,Airport,K-1,Ada,,80"
      ].join("\n")
      const made = yield* run("trips", table, { map: "limo_anywhere" })
      assert.deepInclude(made, counts(2, 0, 0, 1))
      assert.deepInclude(yield* run("trips", table, { map: "limo_anywhere" }), counts(0, 2, 0, 1))
      const trips = yield* all("/trips")
      assert.sameDeepMembers(
        trips.map(({ customer_name, external_ref, status, total_amount }) => [
          external_ref,
          customer_name,
          status,
          total_amount
        ]),
        [
          ["1001", "Ada", "confirmed", 129.5],
          ["1002", "Ada", "completed", 80]
        ]
      )
    })
  )

  it.effect("refuse a trip whose car or customer number is unknown, and make one for a new name", () =>
    Effect.gen(function* () {
      const { all, lines, run } = yield* given
      yield* run("customers", "name,external_ref,email\nAda,K-1,ada@example.com")
      const table = [
        "date,time,from,to,customer number,customer,email,car",
        "24.12.2026,10:00,Airport,Hotel,K-1,,,",
        "24.12.2026,11:00,Airport,Hotel,K-2,Ada,ada@example.com,",
        "24.12.2026,12:00,Airport,Hotel,,Grace,grace@example.com,",
        "24.12.2026,13:00,Airport,Hotel,,Ada,other@example.com,",
        "24.12.2026,14:00,Airport,Hotel,K-3,Jo,,ZH 1"
      ].join("\n")
      const made = yield* run("trips", table)
      assert.deepInclude(made, counts(3, 0, 0, 2))
      assert.deepStrictEqual(
        (yield* lines(made, "?status=refused")).map(({ line, reasons }) => [line, reasons]),
        [
          [3, ["customer_ref not found"]],
          [6, ["customer_ref not found", "car not found"]]
        ]
      )
      const [ada] = yield* all("/customers")
      const trips = yield* all("/trips")
      assert.sameDeepMembers(
        trips.map(({ customer_id, customer_name }) => [customer_name, customer_id]),
        [
          ["Ada", ada?.["customer_id"]],
          ["Grace", null],
          ["Ada", null]
        ]
      )
    })
  )

  it.effect("refuse a line with the external_ref of an earlier line and other values, also far from it", () =>
    Effect.gen(function* () {
      const { lines, run } = yield* given
      const many = Array.from({ length: 600 }, (_, at) => `C-${at},Ada ${at}`)
      const table = ["external_ref,name", ...many, "C-0,Grace", "C-1,Ada 1"].join("\n")
      const first = yield* run("customers", table)
      assert.deepInclude(first, counts(600, 1, 0, 1))
      assert.deepInclude((yield* lines(first, "?status=refused"))[0], {
        line: 602,
        reasons: ["external_ref invalid: line 2 has it too, with other values"]
      })
      assert.deepInclude(yield* run("customers", table), counts(0, 601, 0, 1))
    })
  )

  it.effect("tell nobody of trips that are new or over; a changed pickup to come is told", () =>
    Effect.gen(function* () {
      const { businessId, run, send } = yield* given
      yield* send("PATCH", "/settings/notices", {
        channels: { booked: ["mail"], changed: ["mail"], done: ["mail"] },
        quiet_minutes: 0
      })
      const notices = yield* NoticeRepository
      const due = Effect.map(
        Effect.flatMap(DateTime.now, (now) => notices.due(DateTime.add(now, { days: 1 }), 1000)),
        (trips) => trips.filter(({ business_id }) => business_id === businessId).length
      )
      const tableOf = (status: string, time: string) =>
        [
          "external_ref,date,time,from,to,customer,email,status",
          `1,12.01.2026,10:00,Airport,Hotel,Ada,ada@example.com,`,
          `2,12.01.2026,11:00,Airport,Hotel,Ada,ada@example.com,${status}`,
          `3,24.12.2026,${time},Airport,Hotel,Ada,ada@example.com,confirmed`
        ].join("\n")
      assert.deepInclude(yield* run("trips", tableOf("confirmed", "10:00")), counts(3, 0, 0, 0))
      assert.strictEqual(yield* due, 0)
      assert.deepInclude(yield* run("trips", tableOf("completed", "10:00")), counts(0, 2, 1, 0))
      assert.strictEqual(yield* due, 0)
      assert.deepInclude(yield* run("trips", tableOf("completed", "12:00")), counts(0, 2, 1, 0))
      assert.strictEqual(yield* due, 1)
    })
  )

  it.effect("make drivers and tariffs, and match them again", () =>
    Effect.gen(function* () {
      const { run } = yield* given
      const drivers = "name,email,phone\nDan,dan@example.com,\nJoan,,+41 44 668 18 02"
      assert.deepInclude(yield* run("drivers", drivers), counts(2, 0, 0, 0))
      assert.deepInclude(yield* run("drivers", drivers), counts(0, 2, 0, 0))
      const tariffs = 'tariff,class,base,per km,per hour\nDay,sedan,10,2.5,60\nDay,van,15,"3,5",80'
      assert.deepInclude(yield* run("tariffs", tariffs), counts(1, 0, 1, 0))
      assert.deepInclude(yield* run("tariffs", tariffs), counts(0, 2, 0, 0))
    })
  )

  it.effect("read Windows-1252 and a tab between the cells", () =>
    Effect.gen(function* () {
      const { all, run } = yield* given
      const bytes = Uint8Array.from("Name\tOrt\nJ\u00fcrg\tZ\u00fcrich", (letter) => letter.charCodeAt(0))
      assert.deepInclude(yield* run("customers", bytes), counts(1, 0, 0, 0))
      assert.strictEqual((yield* all("/customers"))[0]?.["name"], "Jürg")
    })
  )
})

layer(Ports)("lists as CSV", (it) => {
  it.effect("have all records of a list, whatever the size of a page, with safe cells", () =>
    Effect.gen(function* () {
      const { send } = yield* given
      const many = Array.from({ length: 250 }, (_, at) => ({ name: `Ada ${at}`, phone: "+41 44 668 18 00" }))
      yield* send("POST", "/customers/bulk", many)
      const answer = yield* send("GET", "/customers?per_page=3", undefined, { accept: "text/csv" })
      assert.strictEqual(answer.headers.get("content-type"), "text/csv; charset=utf-8")
      const lines = answer.text.trimEnd().split("\r\n")
      assert.lengthOf(lines, 251)
      assert.match(lines[0] ?? "", /^customer_id,external_ref,name,email,phone,/u)
      assert.match(lines[1] ?? "", /,Ada 0,,'\+41 44 668 18 00,/u)
      const trip = {
        trip_date: "2026-12-24T18:00:00Z",
        pickup_address: "Here",
        dropoff_address: "There",
        customer_name: "Ada"
      }
      yield* send(
        "POST",
        "/trips/bulk",
        Array.from({ length: 50 }, () => trip)
      )
      const trips = yield* send("GET", "/trips", undefined, { accept: "text/csv" })
      assert.lengthOf(trips.text.trimEnd().split("\r\n"), 51)
      refusedAs(
        yield* send("GET", "/customers?page=0", undefined, { accept: "text/csv" }),
        422,
        "invalid_request"
      )
    })
  )
})

layer(Ports)("two imports of one file at once", (it) => {
  it.effect("make each record once, on several nodes", () =>
    Effect.gen(function* () {
      const { all, read, start } = yield* given
      const table = `name,email\n${Array.from({ length: 1200 }, (_, at) => `Ada ${at},ada${at}@example.com`).join("\n")}`
      const [one, other] = yield* Effect.all([start("customers", table), start("customers", table)])
      yield* Effect.all([sweep, sweep, sweep], { concurrency: "unbounded" })
      yield* sweep
      const [first, second] = [yield* read(record(one)["import_id"]), yield* read(record(other)["import_id"])]
      assert.strictEqual(Number(first["made"]) + Number(second["made"]), 1200)
      assert.strictEqual(Number(first["matched"]) + Number(second["matched"]), 1200)
      assert.lengthOf(yield* all("/customers?per_page=100&page=12"), 100)
      assert.lengthOf(yield* all("/customers?per_page=100&page=13"), 0)
    })
  )
})

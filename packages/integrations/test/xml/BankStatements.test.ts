/** Reading XML, and `camt.053` bank statements in it. */
import { XmlReader } from "@livery/domain"
import { SaxesXmlReader } from "@livery/integrations"
import { assert, layer } from "@effect/vitest"
import { Effect, Result } from "effect"
import { entriesOfCamt } from "../../../domain/src/billing/bank/CamtStatement.ts"

const read = (text: string) => Effect.flatMap(XmlReader, (reader) => reader.read(text))

/** The reason for which a text is refused, or what its root is if it is read. */
const refusalOf = (text: string) =>
  Effect.map(Effect.result(read(text)), (result) =>
    Result.isFailure(result) ? result.failure.reason : `read: ${result.success.name}`
  )

const day = "<BookgDt><Dt>2026-11-05</Dt></BookgDt>"

const document = (...entries: ReadonlyArray<string>) =>
  `<Document><BkToCstmrStmt><Stmt><Acct><Id><IBAN>DE89370400440532013000</IBAN></Id></Acct>${entries
    .map((entry) => `<Ntry>${entry}</Ntry>`)
    .join("")}</Stmt></BkToCstmrStmt></Document>`

const credit = (amount: string, more = "") =>
  `<Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts>${day}${more}`

const camt = (text: string) => Effect.map(read(text), entriesOfCamt)

const amounts = (text: string) =>
  Effect.map(camt(text), ({ entries, faults }) => {
    assert.deepStrictEqual(faults, [])
    return entries.map(({ amount_minor }) => amount_minor)
  })

layer(SaxesXmlReader.layer)("XML", (it) => {
  it.effect("with a document type, an entity of its own, or too many or too deep elements is refused", () =>
    Effect.gen(function* () {
      const bomb = `<!DOCTYPE a [<!ENTITY x "xxxxxxxxxx"><!ENTITY y "&x;&x;&x;">]><a>&y;</a>`
      assert.strictEqual(yield* refusalOf(bomb), "a document type is not allowed")
      const file = `<?xml version="1.0"?><!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>`
      assert.strictEqual(yield* refusalOf(file), "a document type is not allowed")
      assert.include(yield* refusalOf("<a>&x;</a>"), "entity")
      assert.include(yield* refusalOf(`${"<a>".repeat(65)}${"</a>".repeat(65)}`), "nested more than 64 deep")
      assert.include(yield* refusalOf(`<a>${"<b/>".repeat(500_000)}</a>`), "more than 500000 elements")
    })
  )

  it.effect("that is cut off, empty or not well-formed is refused with its line", () =>
    Effect.gen(function* () {
      for (const text of ["", "<a>", "<a></b>", "<a><b></a>", "<a/><b/>", "no element", "<a x=1/>"])
        assert.notInclude(yield* refusalOf(text), "read:", text)
      const result = yield* Effect.result(read("<a>\n<b>\n</a>"))
      assert.strictEqual(Result.isFailure(result) ? result.failure.line : 0, 3)
    })
  )

  it.effect("is read with its entities, character data and prefixes", () =>
    Effect.gen(function* () {
      const root = yield* read(`<n:a xmlns:n="x">&lt;M&#252;ller &amp; <![CDATA[<Söhne>]]></n:a>`)
      assert.deepInclude(root, { name: "a", text: "<Müller & <Söhne>" })
    })
  )
})

layer(SaxesXmlReader.layer)("a camt.053 statement", (it) => {
  it.effect("has the transactions of a batch only if their amounts add up to it", () =>
    Effect.gen(function* () {
      const part = (amount: string, currency = "EUR") =>
        `<TxDtls><Amt Ccy="${currency}">${amount}</Amt></TxDtls>`
      const batch = (...parts: ReadonlyArray<string>) =>
        document(credit("50.00", `<NtryDtls>${parts.join("")}</NtryDtls>`))
      assert.deepStrictEqual(yield* amounts(batch(part("20.00"), part("30.00"))), [2000, 3000])
      assert.deepStrictEqual(yield* amounts(batch(part("20.00"), part("29.99"))), [5000])
      assert.deepStrictEqual(yield* amounts(batch(part("20.00"), part("30.00", "USD"))), [5000])
      assert.deepStrictEqual(yield* amounts(batch(part("20.00"), "<TxDtls/>")), [5000])
    })
  )

  it.effect(
    "leaves out pending entries and entries of zero, and reads the day of the booking or of the value",
    () =>
      Effect.gen(function* () {
        const pending = credit("9.00").replace("BOOK", "PDNG")
        const time = credit("2.00").replace("<Dt>2026-11-05</Dt>", "<DtTm>2026-11-06T23:30:00+01:00</DtTm>")
        const value = credit("3.00").replaceAll("BookgDt", "ValDt")
        const { entries, faults } = yield* camt(document(pending, credit("0.00"), time, value))
        assert.deepStrictEqual(faults, [])
        assert.deepStrictEqual(
          entries.map(({ amount_minor, booked_on }) => [amount_minor, booked_on]),
          [
            [200, "2026-11-06"],
            [300, "2026-11-05"]
          ]
        )
      })
  )

  it.effect("names each wrong part of an entry", () =>
    Effect.gen(function* () {
      const { faults } = yield* camt(
        document(
          credit("1,00"),
          credit("-1.00"),
          credit("1.005"),
          credit("1.00").replace("EUR", "XXQ"),
          credit("1.00").replace("CRDT", "X"),
          credit("1.00").replace("2026-11-05", "2026-02-31")
        )
      )
      assert.deepStrictEqual(
        faults.map(({ field, issue }) => `${field} ${issue}`),
        [
          "entries.1.Amt invalid",
          "entries.2.Amt invalid",
          "entries.3.Amt invalid",
          "entries.4.Amt invalid",
          "entries.5.CdtDbtInd invalid",
          "entries.6.BookgDt invalid"
        ]
      )
      const other = yield* camt("<Document><BkToCstmrAcctRpt/></Document>")
      assert.deepStrictEqual(
        other.faults.map(({ field }) => field),
        ["file"]
      )
    })
  )
})

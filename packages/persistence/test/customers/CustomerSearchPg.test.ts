import {
  canonicalEmail,
  type BusinessId,
  CustomerInput,
  CustomerRepository,
  searchedWords
} from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { at, TestPersistence, newBusiness } from "../support/TestPersistence.ts"

const now = at("09:30:00")
const page = { page: 1, perPage: 100 }
const input = Schema.decodeUnknownSync(CustomerInput)

const made = Effect.fnUntraced(function* (business: BusinessId, given: object) {
  const customers = yield* CustomerRepository
  return yield* customers.insert(business, input({ name: "Ada", ...given }), now)
})

const finds = Effect.fnUntraced(function* (business: BusinessId, search: string) {
  const customers = yield* CustomerRepository
  const { items } = yield* customers.list(business, searchedWords(search), page)
  return items.map(({ customer_id }) => customer_id)
})

/** The binary form of a COPY of the table, which it writes back. */
const copied = Effect.fnUntraced(function* (business: BusinessId) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ same: boolean }>`
    SELECT bool_and(search::text::tsvector = search AND convert_from(textsend(search::text), 'UTF8') <> '') AS same
    FROM customers WHERE business_id = ${business}`
  return row?.same
})

const letters = [...Array.from("㌖ﷺ㌕한é𝔄🚘xς0'\\:&|!*() -.@"), "e\u0301", "\u2028"]
const texts = (length: number) =>
  Schema.Struct({
    letters: Schema.Array(Schema.Literals(letters)).check(Schema.isMaxLength(length)),
    repeated: Schema.Literals(letters)
  })
const textOf = ({ letters, repeated }: ReturnType<typeof texts>["Type"], length: number) =>
  (letters.join("") + repeated.repeat(length)).slice(0, length).replace(/[\ud800-\udbff]$/u, "")

layer(TestPersistence)("a customer with any name", (it) => {
  it.effect.prop(
    "can be stored, copied, and found by the beginning of name and email",
    { called: texts(200), mailed: texts(60), phoned: texts(40) },
    ({ called, mailed, phoned }) =>
      Effect.gen(function* () {
        const business = yield* newBusiness()
        const name = `x${textOf(called, 199)}`.replaceAll("@", "-")
        const local = textOf(mailed, 15).replaceAll(/[^\p{L}\p{N}]/gu, "")
        const host = textOf(called, 4).replaceAll(/[^\p{L}\p{N}]/gu, "")
        const email = canonicalEmail(`a${local}@b${host}.ch`) ?? "a@b.ch"
        const { customer_id } = yield* made(business, {
          name,
          email,
          phone: `1${textOf(phoned, 39)}`,
          company: name
        })
        assert.isTrue(yield* copied(business))
        const [word = name] = name.split(/\s+/u)
        for (const search of [word, email, email.slice(0, email.indexOf("@") + 2)])
          assert.deepStrictEqual(yield* finds(business, search), [customer_id], search)
      }),
    { arbitrary: { runs: 50 } }
  )

  it.effect.prop(
    "is searched for by any text without an error",
    { search: Schema.Union([texts(200), Schema.String]) },
    ({ search }) =>
      Effect.gen(function* () {
        const business = yield* newBusiness()
        const text =
          typeof search === "string" ? search.replaceAll("\u0000", "").toWellFormed() : textOf(search, 200)
        assert.deepStrictEqual(yield* finds(business, text), [])
      }),
    { arbitrary: { runs: 50 } }
  )
})

import { assert, describe, it } from "@effect/vitest"
import { searchedWords, searchWordsOf } from "@livery/domain"
import { Effect, Schema } from "effect"

const found = (
  customer: { name?: string; email?: string; phone?: string },
  search: string,
  country: string | null = null
) => {
  const words = searchWordsOf({
    name: customer.name ?? "Ada",
    email: customer.email ?? null,
    phone: customer.phone ?? null
  })
  return searchedWords(search, { country }).some((asked) =>
    asked.every((beginning) => words.some((word) => word.startsWith(beginning)))
  )
}

const bytesOf = (word: string) => Buffer.byteLength(word)

/** Letters, digits and separators. Folding replaces, removes or multiplies each of them. */
const letter = Schema.Literals([
  ...Array.from("aZ019ßſİıÅéσςΣ㌖ﷺ½²ﬃ한ガが٣𝔄🚘"),
  "e\u0301",
  "\u0301",
  " ",
  "-",
  "'",
  "+",
  "(",
  "."
])
const name = Schema.Array(letter).check(Schema.isMaxLength(200))

describe("a customer is found", () => {
  it("by the beginning of any word of the name, in any order, without case and accents", () => {
    const zoe = { name: "Zoë van der Müller-Strauß" }
    for (const search of ["zoe", "ZOË", "van d", "strauß zo", "muller", "müller-str"])
      assert.isTrue(found(zoe, search), search)
    for (const search of ["oe", "zoe x", "mueller", ""]) assert.isFalse(found(zoe, search), search)
  })

  it("by a phone number in any spelling, with the calling code or as in its country", () => {
    const stored = ["+44 (0)20 7946 0018", "020 7946 0018", "+442079460018", "0044 20 7946 0018 x12"]
    const searched = [
      "+442079460018",
      "+44 (0)20 7946 0018",
      "0044 20 7946 0018",
      "020 7946 0018",
      "7946 0018"
    ]
    for (const phone of stored)
      for (const search of searched) assert.isTrue(found({ phone }, search), `${phone} by ${search}`)
    assert.isFalse(found({ phone: "020 7946 0018" }, "+442079460019"))
  })

  it("by a phone number in the digits of any script, after `tel:` and with an extension", () => {
    const searched = [
      "+٤٤ ٢٠ ٧٩٤٦ ٠٠١٨",
      "۰۲۰ ۷۹۴۶ ۰۰۱۸",
      "०२० ७९४६ ००१८",
      "＋４４２０７９４６００１８",
      "tel:+44-20-7946-0018",
      "Tel. 020 7946 0018",
      "+44–20–7946–0018",
      "\u202a+44 20 7946 0018\u202c",
      "020 7946 0018 x12",
      "020 7946 0018 ext. 12",
      "020 7946 0018 #12",
      "+442079460018;ext=12",
      "020 7946 0018 Durchwahl 5"
    ]
    for (const phone of [
      "+44 20 7946 0018",
      "+٤٤ ٢٠ ٧٩٤٦ ٠٠١٨",
      "０２０ ７９４６ ００１８",
      "020 7946 0018 ext. 99"
    ])
      for (const search of searched) assert.isTrue(found({ phone }, search), `${phone} by ${search}`)
    assert.isFalse(found({ name: "Room 12 x 3", phone: "550 7955 0055" }, "12 x 4"))
  })

  it("by a phone number as it is dialled in the country of the business", () => {
    for (const [country, phone, search] of [
      ["RU", "+7 912 345-67-89", "8 (912) 345-67-89"],
      ["US", "+442079460018", "011 44 20 7946 0018"],
      ["AR", "+54 9 11 2345-6789", "011 15-2345-6789"],
      ["HU", "+36 30 123 4567", "06 30 123 4567"],
      ["CH", "+41446681800", "044 668 18 00"],
      ["IT", "+39 06 1234567", "06 1234567"],
      ["JP", "03-1234-5678", "+81 3 1234 5678"]
    ] as const) {
      assert.isTrue(found({ phone }, search, country), search)
      assert.isFalse(found({ phone }, search.replace(/\d$/u, "1"), country), search)
    }
  })

  it.each([
    ["Łukasz Łódzki", "lukasz lodzki"],
    ["Ødegård", "odegard"],
    ["Işık", "IŞIK"],
    ["IŞIK", "isik"],
    ["Þór Æsir", "thor aesir"],
    ["Œuvrard", "oeuvrard"],
    ["Đorđević", "dordevic"],
    ["STRAẞE", "strasse"],
    ["Ĳsbrand", "ijsbrand"],
    ["ꜱmith Ⱦomas", "smith tomas"],
    ["O'Brien", "obrien"],
    ["O’Brien", "o'brien"],
    ["OBrien", "O'Brien"],
    ["O' Brien", "obrien"],
    ["Jeanne d'Arc", "darc"],
    ["Jeanne Darc", "d’Arc"],
    ["Smith–Jones", "smithjones"],
    ["Smithjones", "Smith-Jones"],
    ["Jan van der Berg", "vanderberg"],
    ["Vanderberg", "van der Berg"],
    ["Mc Donald", "mcdonald"],
    ["McDonald", "mc donald"],
    ["De la Cruz", "delacruz"],
    ["St. John", "stjohn"],
    ["J.R. Smith", "jr smith"],
    ["JR Smith", "j. r. smith"],
    ["山田太郎", "太郎"],
    ["山田 太郎", "山田太郎"],
    ["山田太郎", "山田 太郎"],
    ["ジョン・スミス", "ジョンスミス"],
    ["김철수", "철수"],
    ["王小明", "小明"]
  ])("by a spelling of the name: %s by %s", (name, search) => {
    assert.isTrue(found({ name }, search))
  })

  it("by the beginning of the whole email or of one of its words", () => {
    const ada = { email: "ada.lovelace@example.com" }
    for (const search of ["ada.lovelace@exa", "ADA.LOVELACE@EXAMPLE.COM", "lovelace", "example com"])
      assert.isTrue(found(ada, search), search)
    assert.isFalse(found(ada, "lovelace@example.com"))
  })

  it("by any run of three or more of the phone number's last fifteen digits, however it is written", () => {
    for (const phone of ["+41 79 123 45 67", "+41791234567", "(+41) 79/123-45-67"])
      for (const search of ["+41 79 123", "079 123 45 67", "79123", "123-45", "567", "234 5"])
        assert.isTrue(found({ phone }, search), `${phone}: ${search}`)
    assert.isFalse(found({ phone: "+41 79 123 45 67" }, "999"))
    for (const search of ["41", "6", "67"])
      assert.isFalse(found({ phone: "+42 79 123 43 99" }, search), search)
    const long = { phone: "1234567890123456789" }
    assert.isTrue(found(long, "567890123456789"))
    assert.isFalse(found(long, "4567890"))
  })

  it("by a word of digits in the name, also where a number would begin with a zero", () => {
    const zoe = { name: "Zoë 00123 000456 000000 O'Brien 12-34 (0)5" }
    for (const search of [
      "00123",
      "0012",
      "000456",
      "00045",
      "456",
      "000000",
      "zoe 000456",
      "12-34",
      "(0)5",
      "12"
    ])
      assert.strictEqual(found(zoe, search), search !== "456", search)
  })

  it("finds a Greek word by its beginning, in either form of sigma", () => {
    for (const search of ["ΟΔΟΣ", "οδος", "οδοσ", "ΟΔΟ"]) {
      assert.isTrue(found({ name: "Οδοσσα" }, search), search)
      assert.isTrue(found({ name: "ΟΔΟΣ" }, search), search)
    }
  })

  it("by name and number together", () => {
    assert.isTrue(found({ name: "Ada", phone: "+41 79 123 45 67" }, "ada 4567"))
    assert.isFalse(found({ name: "Bob", phone: "+41 79 123 45 67" }, "ada 4567"))
  })

  it.effect.prop(
    "by each word of the name and by the beginnings of that word, unless the word is an email",
    { name: Schema.Union([name, Schema.Array(Schema.String)]) },
    ({ name: letters }) =>
      Effect.sync(() => {
        const name = letters.join("")
        for (const word of name.split(/\s+/u))
          if (!word.includes("@") && searchWordsOf({ name: word, email: null, phone: null }).length > 0) {
            assert.isTrue(found({ name }, word), word)
            const half = Array.from(word)
              .slice(0, Math.ceil(word.length / 2))
              .join("")
            if (searchedWords(half).length > 0) assert.isTrue(found({ name }, half), half)
          }
      })
  )

  it.effect.prop(
    "by the beginning of the whole email, and by its words",
    { letters: name, host: Schema.Literals(["example.com", "㌖.ch"]) },
    ({ host, letters }) =>
      Effect.sync(() => {
        const email = `a${letters.filter((letter) => !" (".includes(letter)).join("")}@${host}`.toLowerCase()
        for (const search of [email, email.slice(0, email.indexOf("@") + 3)])
          assert.isTrue(found({ email }, search), search)
        assert.isTrue(found({ email }, host), host)
      })
  )

  it.effect.prop(
    "no word, stored or searched for, is longer than the limit of the index or ends within a character",
    {
      letters: name,
      search: Schema.String,
      repeated: Schema.Literals(["㌖", "ﷺ", "x", "é", "𝔄", "한", "0"])
    },
    ({ letters, repeated, search }) =>
      Effect.sync(() => {
        const name = letters.join("") + repeated.repeat(200)
        const email = `${repeated.repeat(60)}@${repeated.repeat(180)}.ch`
        const words = [
          ...searchWordsOf({ name, email, phone: repeated.repeat(40) }),
          ...[name, email, search, `${search}@${repeated.repeat(200)}`].flatMap((text) =>
            searchedWords(text).flat()
          )
        ]
        for (const word of words) {
          assert.isAtMost(bytesOf(word), 512)
          assert.isTrue(word.isWellFormed() || !search.isWellFormed())
        }
      })
  )

  it.effect.prop("no search has more than eight words", { search: Schema.String }, ({ search }) =>
    Effect.sync(() => {
      for (const words of searchedWords(`${search} a b c d e f g h i j`)) {
        assert.isAtMost(words.length, 8)
        assert.isFalse(words.includes(""))
      }
    })
  )
})

import { assert, describe, it } from "@effect/vitest"
import { currencies, type Currency, exponentOf, Money } from "@livery/domain"
import { Option, Schema } from "effect"
import { issuesOf } from "../../support/Decoding.ts"

const AnyCurrency = Schema.Literals(currencies)
const Minor = Schema.Int.check(
  Schema.isBetween({ minimum: -Money.maximumMinor, maximum: Money.maximumMinor })
)
/** With any factor a product stays below 2^53. */
const Factor = Schema.Int.check(Schema.isBetween({ minimum: -9_000, maximum: 9_000 }))
const many = { arbitrary: { runs: 500 } }

const currency = (code: string) => code as Currency
const money = (minor: number, code: string): Money.Money => ({ minor, currency: currency(code) })
const minorOf = (amount: number, code: string) =>
  Option.getOrUndefined(Option.map(Money.fromMajor(amount, currency(code)), ({ minor }) => minor))

/** The decimal text of so many minor units, by whole-number division alone. */
const decimalText = (minor: number, exponent: number) => {
  const size = BigInt(Math.abs(minor))
  const unit = 10n ** BigInt(exponent)
  const fraction = exponent === 0 ? "" : `.${String(size % unit).padStart(exponent, "0")}`
  return `${minor < 0 ? "-" : ""}${size / unit}${fraction}`
}

describe("decimals", () => {
  it("a currency has as many decimals as ISO 4217 gives its minor unit", () => {
    const iso = {
      JPY: 0,
      KRW: 0,
      CLP: 0,
      ISK: 0,
      USD: 2,
      EUR: 2,
      CHF: 2,
      HUF: 2,
      KWD: 3,
      TND: 3,
      CLF: 4,
      UYW: 4
    }
    for (const [code, decimals] of Object.entries(iso))
      assert.strictEqual(exponentOf(currency(code)), decimals)
    assert.deepStrictEqual(
      [...new Set(currencies.map(exponentOf))].toSorted((a, b) => a - b),
      [0, 2, 3, 4]
    )
    assert.strictEqual(new Set(currencies).size, currencies.length)
  })

  it("every currency accepts its smallest amount, and refuses one more decimal", () => {
    for (const code of currencies) {
      const exponent = exponentOf(code)
      const smallest = Number(`1e-${exponent}`)
      assert.deepStrictEqual(Money.fromMajor(smallest, code), Option.some({ minor: 1, currency: code }))
      assert.isTrue(Option.isNone(Money.fromMajor(Number(`1e-${exponent + 1}`), code)), code)
      assert.isTrue(Option.isNone(Money.fromMajor(Number(`7.${"0".repeat(exponent)}1`), code)), code)
    }
  })

  it.prop(
    "an amount survives the conversion to a JSON number and back",
    { minor: Minor, code: AnyCurrency },
    ({ minor, code }) => {
      const amount = money(minor + 0, code)
      assert.deepStrictEqual(Money.fromMajor(Money.toMajor(amount), code), Option.some(amount))
      // And through JSON, which is how it travels.
      const onTheWire: unknown = JSON.parse(JSON.stringify(Money.toMajor(amount)))
      assert.deepStrictEqual(Money.fromMajor(Number(onTheWire), code), Option.some(amount))
    },
    many
  )

  it.prop(
    "an amount prints as its exact decimal text, with all decimals of its currency",
    { minor: Minor, code: AnyCurrency },
    ({ minor, code }) =>
      assert.strictEqual(Money.format(money(minor, code)), decimalText(minor, exponentOf(code))),
    many
  )

  it("sums are exact where floating point rounds them", () => {
    const sum = Money.add(money(10, "USD"), money(20, "USD"))
    assert.strictEqual(Money.toMajor(sum), 0.3)
    assert.strictEqual(minorOf(1.005, "KWD"), 1005)
    assert.strictEqual(minorOf(1.005, "USD"), undefined)
    assert.strictEqual(minorOf(4.35, "EUR"), 435)
    assert.strictEqual(minorOf(1.1, "EUR"), 110)
    assert.strictEqual(minorOf(8.2, "CHF"), 820)
    assert.strictEqual(minorOf(0.1 + 0.2, "USD"), undefined)
    assert.strictEqual(minorOf(1200, "JPY"), 1200)
    assert.strictEqual(minorOf(1200.5, "JPY"), undefined)
    assert.strictEqual(Money.toMajor(money(12950, "USD")), 129.5)
    assert.strictEqual(Money.format(money(12950, "USD")), "129.50")
    assert.strictEqual(Money.format(money(-5, "KWD")), "-0.005")
    assert.strictEqual(Money.format(money(1200, "JPY")), "1200")
  })

  it("amounts beyond the bound, and NaN and infinities, are refused", () => {
    for (const amount of [1e21, 1e15, Number.MAX_VALUE, Number.NaN, Number.POSITIVE_INFINITY, 1e-7])
      assert.strictEqual(minorOf(amount, "USD"), undefined, String(amount))
    assert.strictEqual(minorOf(Money.maximumMinor / 100, "USD"), Money.maximumMinor)
    assert.strictEqual(minorOf(Money.maximumMinor / 100 + 0.01, "USD"), undefined)
    assert.strictEqual(minorOf(-Money.maximumMinor / 100 - 0.01, "USD"), undefined)
  })
})

describe("MajorAmount", () => {
  it("accepts amounts that some currency can hold, and names the issue of all others", () => {
    for (const amount of [0, 0.0001, 129.5, 1e10])
      assert.deepStrictEqual(issuesOf(Money.MajorAmount, amount), [])
    for (const amount of [1e21, -0.01, -1, 1e10 + 1, Number.NaN, Number.POSITIVE_INFINITY])
      assert.deepStrictEqual(issuesOf(Money.MajorAmount, amount), [" out_of_range"], String(amount))
    for (const amount of [1e-7, 0.00001, 0.1 + 0.2, "12", true, {}, []])
      assert.deepStrictEqual(issuesOf(Money.MajorAmount, amount), [" invalid"], JSON.stringify(amount))
    assert.deepStrictEqual(issuesOf(Money.MajorAmount, null), [" required"])
  })
})

describe("sums", () => {
  it.prop(
    "add and subtract undo each other, and zero changes nothing",
    [Minor, Minor, AnyCurrency],
    ([a, b, code]) => {
      const [left, right] = [money(a + 0, code), money(b + 0, code)]
      assert.deepStrictEqual(Money.subtract(Money.add(left, right), right), left)
      assert.deepStrictEqual(Money.add(left, right), Money.add(right, left))
      assert.deepStrictEqual(Money.add(left, Money.zero(code)), left)
      assert.deepStrictEqual(Money.subtract(left, left), Money.zero(code))
    }
  )

  it("amounts of two currencies cannot be added", () => {
    assert.throws(() => Money.add(money(1, "USD"), money(1, "EUR")), TypeError)
    assert.throws(() => Money.subtract(money(1, "USD"), money(1, "EUR")), TypeError)
  })

  it("no operation gives a negative zero", () => {
    const usd = currency("USD")
    const zeros = [
      ...Option.toArray(Money.fromMajor(-0, usd)),
      Money.multiply(money(-1, "USD"), 0),
      Money.multiply(money(0, "USD"), -3),
      Money.multiply(money(-1, "USD"), 1, 3),
      Money.subtract(money(-5, "USD"), money(-5, "USD")),
      ...Money.allocate(money(-1, "USD"), [1, 1, 0]).slice(1)
    ]
    assert.strictEqual(zeros.length, 7)
    for (const zero of zeros) assert.isTrue(Object.is(zero.minor, 0))
    assert.isTrue(Object.is(Money.toMajor(money(0, "USD")), 0))
    assert.strictEqual(Money.format(money(-0, "USD")), "0.00")
  })
})

describe("multiply", () => {
  it("halves are rounded away from zero, on both sides", () => {
    const half = (minor: number) => Money.multiply(money(minor, "USD"), 1, 2).minor
    assert.deepStrictEqual([1, 3, 5, -1, -3, -5].map(half), [1, 2, 3, -1, -2, -3])
    assert.strictEqual(Money.multiply(money(49, "USD"), 1, 100).minor, 0)
    assert.strictEqual(Money.multiply(money(50, "USD"), 1, 100).minor, 1)
    // A tax of 7.7 % on 129.50: 9.9715.
    assert.strictEqual(Money.multiply(money(12950, "CHF"), 77, 1000).minor, 997)
  })

  it.prop(
    "the product is the nearest whole minor unit, and of two equally near ones that further from zero",
    [Minor, Factor, Factor.check(Schema.makeFilter((by) => by !== 0))],
    ([minor, numerator, denominator]) => {
      const { minor: product } = Money.multiply(money(minor, "USD"), numerator, denominator)
      const exact = BigInt(minor) * BigInt(numerator)
      const by = BigInt(denominator)
      // |product - exact / by| <= 1/2, in whole numbers.
      const distance = 2n * (BigInt(product) * by - exact)
      const [size, limit] = [distance < 0n ? -distance : distance, by < 0n ? -by : by]
      assert.isTrue(size <= limit)
      if (size === limit) {
        const nearer = BigInt(product) - (product > 0 ? 1n : -1n)
        assert.strictEqual(2n * (nearer * by - exact), -distance)
      }
    },
    many
  )

  it.prop(
    "the product changes its sign with each of its factors",
    [Minor, Factor, Factor],
    ([minor, by, over]) => {
      const of = (m: number, n: number, d: number) => Money.multiply(money(m, "EUR"), n, d).minor
      const denominator = over === 0 ? 1 : over
      const product = of(minor, by, denominator)
      assert.strictEqual(of(-minor, by, denominator) + product, 0)
      assert.strictEqual(of(minor, -by, denominator) + product, 0)
      assert.strictEqual(of(minor, by, -denominator) + product, 0)
    }
  )
})

const Weights = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 50 }))).check(
  Schema.isMinLength(1),
  Schema.isMaxLength(12),
  Schema.makeFilter((weights: ReadonlyArray<number>) => weights.some((weight) => weight > 0))
)

it("a product too large to be exact is refused rather than rounded", () => {
  assert.throws(() => Money.multiply(money(78_984_884_492, "USD"), 552_079), RangeError)
  assert.strictEqual(Money.multiply(money(78_984_884_492, "USD"), 552_079, 1_000_000).minor, 43_605_896_045)
})

describe("allocate", () => {
  it.prop(
    "the parts sum to the amount, and each differs from its exact share by less than a minor unit",
    [Minor, Weights],
    ([minor, weights]) => {
      const parts = Money.allocate(money(minor, "USD"), weights).map((part) => part.minor)
      const total = weights.reduce((sum, weight) => sum + weight, 0)
      assert.strictEqual(parts.length, weights.length)
      assert.strictEqual(
        parts.reduce((sum, part) => sum + part, 0),
        minor + 0
      )
      parts.forEach((part, index) => {
        const off = BigInt(part) * BigInt(total) - BigInt(minor) * BigInt(weights[index] ?? 0)
        assert.isTrue(off < BigInt(total) && off > -BigInt(total), `${part} of ${minor} by ${weights.join()}`)
        if (weights[index] === 0) assert.isTrue(Object.is(part, 0))
      })
    },
    many
  )

  it("the remainder goes to the first parts that were rounded down", () => {
    const parts = (minor: number, weights: ReadonlyArray<number>) =>
      Money.allocate(money(minor, "USD"), weights).map((part) => part.minor)
    assert.deepStrictEqual(parts(100, [1, 1, 1]), [34, 33, 33])
    assert.deepStrictEqual(parts(-100, [1, 1, 1]), [-34, -33, -33])
    // The first share divides exactly: it must not take a cent that belongs to the others.
    assert.deepStrictEqual(parts(2, [2, 1, 1]), [1, 1, 0])
    assert.deepStrictEqual(parts(5, [0, 1]), [0, 5])
    assert.throws(() => parts(5, [0, 0]))
  })
})

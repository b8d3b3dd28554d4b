import { assert, describe, it } from "@effect/vitest"
import {
  Currency,
  CustomerId,
  Field,
  fieldIssues,
  InvalidInput,
  Money,
  PerPage,
  Value,
  WallClock
} from "@livery/domain"
import { Result, Schema } from "effect"

const Kind = Schema.Literals(["van", "bus"])

const Input = Schema.Struct({
  kind: Field.optional(Value.oneOf(Kind)).input,
  shape: Schema.Literals(["round", "square"]),
  currency: Currency,
  timezone: WallClock.TimeZone,
  seats: Schema.Int
})

/** Bounded numbers of several kinds. */
const Bounded = Schema.Struct({
  per_page: PerPage,
  customer_id: CustomerId,
  amount: Money.PositiveAmount,
  accuracy: Value.measurement(1000).required
})

/** The message for an input, decoded as the bodies and queries of the API are. */
const messageOf = (input: unknown, schema: Schema.Codec<unknown, unknown> = Input) =>
  Result.match(
    Schema.decodeUnknownResult(schema)(input, {
      errors: "all",
      reportInput: true,
      onExcessProperty: "error"
    }),
    {
      onSuccess: () => "",
      onFailure: ({ issue }) => new InvalidInput({ issues: fieldIssues(issue) }).message
    }
  )

const right = { kind: "van", shape: "round", currency: "USD", timezone: "UTC", seats: 4 }

describe("the message of an unknown value", () => {
  it("lists the values that the field accepts", () => {
    assert.strictEqual(
      messageOf({ ...right, kind: "car", shape: "flat", seats: 1.5 }),
      "The input is not valid: kind unknown_value (accepted: van, bus), " +
        "shape unknown_value (accepted: round, square), seats invalid"
    )
  })

  it("describes the values of a field that accepts too many to list", () => {
    assert.strictEqual(
      messageOf({ ...right, currency: "XXX", timezone: "Here" }),
      "The input is not valid: currency unknown_value (accepted: ISO 4217 codes such as USD), " +
        "timezone unknown_value (accepted: names of IANA time zones such as Europe/Zurich)"
    )
  })

  it("lists the known names if the name of a field is unknown", () => {
    assert.strictEqual(
      messageOf({ ...right, color: "red" }),
      "The input is not valid: color unknown_value (accepted: kind, shape, currency, timezone, seats)"
    )
  })
})

describe("the message of a number out of its bounds", () => {
  it("states the bounds", () => {
    assert.strictEqual(
      messageOf({ per_page: 101, customer_id: 0, amount: 0, accuracy: 1001 }, Bounded),
      "The input is not valid: per_page out_of_range (accepted: 1 to 100), " +
        "customer_id out_of_range (accepted: at least 1), " +
        "amount out_of_range (accepted: more than 0, at most 10000000000), " +
        "accuracy out_of_range (accepted: at most 1000)"
    )
  })

  it("states the same bounds for a value beyond either of them", () => {
    const amount = "amount out_of_range (accepted: more than 0, at most 10000000000)"
    const input = { per_page: 1, customer_id: 1, accuracy: 1 }
    for (const wrong of [-1, 0, 1e11])
      assert.strictEqual(
        messageOf({ ...input, amount: wrong }, Bounded),
        `The input is not valid: ${amount}`,
        String(wrong)
      )
  })
})

import { assert, describe, it } from "@effect/vitest"
import { Currency, Field, fieldIssues, InvalidInput, Value, WallClock } from "@livery/domain"
import { Result, Schema } from "effect"

const Kind = Schema.Literals(["van", "bus"])

const Input = Schema.Struct({
  kind: Field.optional(Value.oneOf(Kind)).input,
  shape: Schema.Literals(["round", "square"]),
  currency: Currency,
  timezone: WallClock.TimeZone,
  seats: Schema.Int
})

/** The message for an input, decoded as the bodies and queries of the API are. */
const messageOf = (input: unknown) =>
  Result.match(
    Schema.decodeUnknownResult(Input)(input, {
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

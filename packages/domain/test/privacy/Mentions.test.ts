import { mentions, mentionsName } from "@livery/domain"
import { assert, describe, it } from "vitest"

const ann = { emails: ["ann@example.com"], phones: ["+41446681800"], country: "CH" }

describe("a text mentions a person", () => {
  it.each([
    "ann@example.com",
    "Ask Ann@Example.com.",
    "Ann <ann@example.com>, at home",
    "mailto:ann@example.com?subject=ride",
    "'ann@example.com'",
    "-ann@example.com",
    "line\nann@example.com\nline",
    "ann@example.com.au and ann@example.com",
    "joann@example.com,ann@example.com",
    "ann@example.com... and later",
    "ann@example.com-",
    "+41 (44) 668 18 00",
    "+41 (0)44 668 18 00",
    "0041 44 668 18 00",
    "044 668 18 00",
    "+41 44 668 18 00 ext. 12",
    "\u0660\u0664\u0664 \u0666\u0666\u0668 \u0661\u0668 \u0660\u0660",
    "+\u096a\u0967\u096a\u096a\u096c\u096c\u096e\u0967\u096e\u0966\u0966"
  ])("if it has the whole email or is the phone number: %j", (text) => {
    assert.isTrue(mentions(text, ann))
  })

  it.each([
    "joann@example.com",
    "jo.ann@example.com",
    "jo-ann@example.com",
    "jo+ann@example.com",
    "jo_ann@example.com",
    "o'ann@example.com",
    "éann@example.com",
    "ann@example.com.au",
    "ann@example.community",
    "ann@example.com-cars.de",
    "ann@example.comé",
    "ann at example.com",
    "+41 44 668 18 001"
  ])("but not if the email or the number is a part of another: %j", (text) => {
    assert.isFalse(mentions(text, ann))
  })

  it("by a name only where names are compared", () => {
    const person = { ...ann, names: ["Ann"] }
    assert.isFalse(mentions("Ann", person))
    assert.isTrue(mentionsName("Ann", ["Ann"]))
  })

  it.each(["Ann", "ann's car", "Annabel told Ann to wait", "Joann, Ann", "İ Ann", "Anna (ANN)"])(
    "by a whole name, wherever it is: %j",
    (text) => {
      assert.isTrue(mentionsName(text, ["Ann"]))
    }
  )

  it.each(["Annabel", "Joann", "Ann3", "Ann\u0303a", "A nn", ""])(
    "but not by a name within a word: %j",
    (text) => {
      assert.isFalse(mentionsName(text, ["Ann"]))
      assert.isFalse(mentionsName(text, [""]))
    }
  )

  it("by a name whose lower case is longer", () => {
    assert.isTrue(mentionsName("for İbo", ["İbo"]))
    assert.isFalse(mentionsName("for İbou", ["İbo"]))
  })
})

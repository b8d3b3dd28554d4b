/** Storing lines of tariffs: a line has the prices of one class of a tariff. */
import { Effect } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import { TariffChanges, TariffInput } from "../../fares/tariffs/TariffRecord.ts"
import { Tariffs } from "../../fares/tariffs/Tariffs.ts"
import { TariffId } from "../../kernel/Ids.ts"
import { Transaction } from "../../kernel/Transaction.ts"
import type { Values } from "../Cells.ts"
import { allOf } from "./FleetLines.ts"
import { decoderOf, eachLine, type Line } from "./Line.ts"

const decodeInput = decoderOf(TariffInput)
const decodeChanges = decoderOf(TariffChanges)

/** The prices of a class as a request sends them. */
const classOf = ({ base, per_hour, per_km, per_minute, vehicle_class }: Values) => ({
  vehicle_class,
  ...(base === undefined && per_km === undefined && per_minute === undefined
    ? {}
    : {
        distance: [
          {
            base: base ?? 0,
            tiers: per_km === undefined ? [] : [{ amount: per_km }],
            per_minute: per_minute ?? 0
          }
        ]
      }),
  ...(per_hour === undefined ? {} : { hours: [{ per_hour }] })
})

/** Builds the function that stores lines of tariffs, found by the name of the tariff. */
export const makeTariffLines = Effect.gen(function* () {
  const transaction = yield* Transaction
  const tariffs = yield* Tariffs
  return Effect.fnUntraced(function* (acting: ActingBusiness, lines: ReadonlyArray<Line>) {
    const listed = yield* allOf((page) => tariffs.list(acting, page))
    const known = new Map(listed.map(({ name, tariff_id }) => [name, tariff_id]))
    return yield* eachLine(transaction, lines, (values) =>
      Effect.gen(function* () {
        const { currency = acting.currency, name } = values
        const own = classOf(values)
        const input = yield* Effect.fromResult(decodeInput({ name, currency, classes: [own] }))
        const found = known.get(input.name)
        if (found === undefined) {
          const { tariff_id } = yield* tariffs.create(acting, input)
          known.set(input.name, tariff_id)
          return { status: "made" as const, record_id: tariff_id }
        }
        const tariffId = TariffId.make(found)
        const before = yield* tariffs.get(acting, tariffId)
        const has = before.classes.some(({ vehicle_class }) => vehicle_class === own.vehicle_class)
        const classes = has
          ? before.classes.map((one) => (one.vehicle_class === own.vehicle_class ? own : one))
          : [...before.classes, own]
        const changes = yield* Effect.fromResult(decodeChanges({ classes }))
        const after = yield* tariffs.update(acting, tariffId, changes)
        const status = after.version === before.version ? ("matched" as const) : ("changed" as const)
        return { status, record_id: found }
      })
    )
  })
})

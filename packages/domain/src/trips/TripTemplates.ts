/** The use cases of templates of trips (docs/api/trips.md). */
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import { Conflict, InvalidInput, invalidField, orNotFound, refuseIssues } from "../kernel/Errors.ts"
import { fieldIssues } from "../kernel/fields/FieldIssue.ts"
import type { TripTemplateId } from "../kernel/Ids.ts"
import { mapPage, type PageRequest } from "../kernel/Page.ts"
import { type Precondition, unconditional } from "../kernel/Precondition.ts"
import { traced } from "../kernel/TracedFunction.ts"
import { atomically, Transaction } from "../kernel/Transaction.ts"
import { TripUnitOfWork } from "./changes/TripUnitOfWork.ts"
import {
  maxTripTemplates,
  templateFieldsOf,
  templateFieldsOfTrip,
  type TripTemplateChanges,
  type TripTemplateInput,
  tripTemplateIssues,
  type TripTemplateRecord,
  tripTemplateRecord
} from "./templates/TripTemplate.ts"
import { TripTemplateRepository } from "./templates/TripTemplateRepository.ts"
import { TripCharges } from "./trip/TripCharges.ts"
import { draftOfInput } from "./trip/TripEdit.ts"
import { TripInput, type TripOverrides } from "./trip/TripInput.ts"
import { TripRepository } from "./trip/TripRepository.ts"
import { makeBookTrip } from "./TripCreation.ts"

/** The trip that a template and the fields of a request describe; `InvalidInput` names what is missing or wrong. */
const inputOf = (fields: object) =>
  Schema.decodeUnknownEffect(TripInput)(fields, { errors: "all", reportInput: true }).pipe(
    Effect.mapError(({ issue }) => new InvalidInput({ issues: fieldIssues(issue) }))
  )

/** `NotFound` if the template is absent or another business's; `Conflict` if the precondition fails. */
export class TripTemplates extends Context.Service<TripTemplates>()("@livery/domain/TripTemplates", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const templates = yield* TripTemplateRepository
    const trips = yield* TripRepository
    const charges = yield* TripCharges
    const book = yield* makeBookTrip
    const requireTemplate = orNotFound("template")

    /** The fields of a new template: those that were sent, or those of the trip. */
    const fieldsOf = Effect.fnUntraced(function* (
      { business_id, timezone }: ActingBusiness,
      { trip, trip_id }: TripTemplateInput
    ) {
      if (trip_id === undefined) return templateFieldsOf(trip ?? {})
      const found = yield* trips.find(business_id, trip_id)
      if (Option.isNone(found)) return yield* invalidField("trip_id", "not_found")
      // What waiting or a longer time added to the price at the end is not a part of the next booking.
      return templateFieldsOfTrip(yield* charges.withoutFinalPrice(found.value), timezone)
    })

    return {
      /**
       * Makes a template from fields of a trip, or from a trip of the business. `InvalidInput` for neither or both, and for a
       * trip that the business does not have; `Conflict` if the business has {@link maxTripTemplates} templates.
       */
      create: traced("TripTemplates.create")(function* (acting: ActingBusiness, input: TripTemplateInput) {
        yield* refuseIssues(tripTemplateIssues(input))
        const { business_id } = acting
        const now = yield* DateTime.now
        return yield* atomically(transaction, function* () {
          const content = { name: input.name, trip: yield* fieldsOf(acting, input) }
          const made = yield* templates.insert(business_id, content, now)
          if (Option.isNone(made))
            return yield* new Conflict({
              reason: `A business has at most ${maxTripTemplates} templates of trips; delete one first`
            })
          return tripTemplateRecord(made.value)
        })
      }),

      /** The business's templates by name. */
      list: traced("TripTemplates.list")(function* ({ business_id }: ActingBusiness, page: PageRequest) {
        return mapPage(yield* templates.list(business_id, page), tripTemplateRecord)
      }),

      /** One template of the business. */
      get: traced("TripTemplates.get")(function* (
        { business_id }: ActingBusiness,
        templateId: TripTemplateId
      ) {
        return tripTemplateRecord(yield* requireTemplate(yield* templates.find(business_id, templateId)))
      }),

      /** Renames a template, or replaces its fields. Trips that were booked from it do not change. */
      update: traced("TripTemplates.update")(function* (
        { business_id }: ActingBusiness,
        templateId: TripTemplateId,
        { name, trip }: TripTemplateChanges,
        precondition: Precondition<TripTemplateRecord> = unconditional
      ) {
        const changes = {
          ...(name === undefined ? {} : { name }),
          ...(trip === undefined ? {} : { trip: templateFieldsOf(trip) })
        }
        return yield* atomically(transaction, function* () {
          const before = yield* requireTemplate(yield* templates.lock(business_id, templateId))
          yield* precondition(tripTemplateRecord(before))
          return tripTemplateRecord(
            yield* templates.update(business_id, templateId, changes, yield* DateTime.now)
          )
        })
      }),

      /** Deletes a template, and returns it as it was. Trips that were booked from it do not change. */
      remove: traced("TripTemplates.remove")(function* (
        { business_id }: ActingBusiness,
        templateId: TripTemplateId,
        precondition: Precondition<TripTemplateRecord> = unconditional
      ) {
        return yield* atomically(transaction, function* () {
          const record = tripTemplateRecord(
            yield* requireTemplate(yield* templates.lock(business_id, templateId))
          )
          yield* precondition(record)
          yield* templates.remove(business_id, templateId)
          return record
        })
      }),

      /**
       * Books a trip with the fields of a template, of which those that were sent replace some; fails as `Trips.create` does.
       * A car or a customer of the template that was deleted or is inactive is left out, as in `Trips.duplicate`.
       */
      book: traced("TripTemplates.book")(function* (
        acting: ActingBusiness,
        templateId: TripTemplateId,
        overrides: TripOverrides
      ) {
        return yield* atomically(transaction, function* () {
          const { trip } = yield* requireTemplate(yield* templates.find(acting.business_id, templateId))
          const { force = false, ...sent } = overrides
          const input = yield* inputOf({ ...trip, ...sent })
          return yield* book(acting, draftOfInput(acting, input), {
            force: force === true,
            sent,
            fillsCustomerIn: true
          })
        })
      })
    }
  })
}) {
  static readonly layer = Layer.effect(TripTemplates, TripTemplates.make).pipe(
    Layer.provide(TripUnitOfWork.layer)
  )
}

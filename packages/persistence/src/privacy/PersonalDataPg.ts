import { PersonalData } from "@livery/domain"
import { Effect, Layer } from "effect"
import { makeErasedDocuments } from "./ErasedDocumentsPg.ts"
import { makeErasedInvoices } from "./ErasedInvoicesPg.ts"
import { makePersonalDocuments } from "./PersonalDocumentsPg.ts"
import { makePersonalTrips } from "./PersonalTripsPg.ts"
import { makePersonErasure } from "./PersonErasurePg.ts"
import { makePersonRecords } from "./PersonRecordsPg.ts"

export const layer = Layer.effect(
  PersonalData,
  Effect.gen(function* () {
    return PersonalData.of({
      ...(yield* makePersonRecords),
      ...(yield* makePersonErasure),
      ...(yield* makePersonalTrips),
      ...(yield* makeErasedInvoices),
      ...(yield* makePersonalDocuments),
      ...(yield* makeErasedDocuments)
    })
  })
)

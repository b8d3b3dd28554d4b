import { Effect } from "effect"
import {
  type ActingBusiness,
  BusinessProfiles,
  Flights,
  InvoiceNumbers,
  type UploadId,
  Uploads
} from "@livery/domain"
import { CurrentBusiness } from "@livery/contract"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { preconditionOf, withEtag } from "../http/responses/Etag.ts"
import { forBusiness } from "../http/pipeline/ForBusiness.ts"
import { publicUrlOf } from "../http/server/PublicUrl.ts"
import { pathOfUpload } from "../uploads/ServedFiles.ts"

export const SettingsHandlers = handlersOf("settings", function* (handlers) {
  const profiles = yield* BusinessProfiles
  const numbers = yield* InvoiceNumbers
  const flights = yield* Flights
  const uploads = yield* Uploads

  /** The address of the picture that a change names as the logo; `null` removes the logo. */
  const logoOf = Effect.fnUntraced(function* (acting: ActingBusiness, id: UploadId | null | undefined) {
    if (id === undefined) return {}
    if (id === null) return { logo_url: null }
    return {
      logo_url: yield* publicUrlOf(pathOfUpload(yield* uploads.picture(acting, id, "logo_upload_id")))
    }
  })

  return handlers({
    read: () => Effect.map(Effect.flatMap(CurrentBusiness, profiles.read), withEtag),
    update: forBusiness((acting, { headers, payload: { logo_upload_id, ...changes } }) =>
      logoOf(acting, logo_upload_id).pipe(
        Effect.flatMap((logo) => profiles.update(acting, { ...changes, ...logo }, preconditionOf(headers))),
        Effect.map(withEtag)
      )
    ),
    readInvoiceNumbers: forBusiness((acting) => Effect.map(numbers.read(acting, "invoice"), withEtag)),
    updateInvoiceNumbers: forBusiness((acting, { headers, payload }) =>
      Effect.map(numbers.update(acting, "invoice", payload, preconditionOf(headers)), withEtag)
    ),
    readCreditNoteNumbers: forBusiness((acting) => Effect.map(numbers.read(acting, "credit_note"), withEtag)),
    updateCreditNoteNumbers: forBusiness((acting, { headers, payload }) =>
      Effect.map(numbers.update(acting, "credit_note", payload, preconditionOf(headers)), withEtag)
    ),
    readFlights: () => Effect.map(Effect.flatMap(CurrentBusiness, flights.read), withEtag),
    updateFlights: forBusiness((acting, { headers, payload }) =>
      Effect.map(flights.update(acting, payload, preconditionOf(headers)), withEtag)
    )
  })
})

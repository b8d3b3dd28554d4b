import { RemittanceId, RemittanceRepository } from "@livery/domain"
import { Option } from "effect"
import { descending, pageOf } from "../store/Pages.ts"
import { inMemory, pair } from "../store/Store.ts"

export const layer = inMemory(
  RemittanceRepository,
  ({ payments, remittancePayments, remittances, step }) => ({
    insert: (remittance, paymentIds, now) =>
      step(() => {
        const remittance_id = RemittanceId.make(remittances.next())
        for (const payment_id of paymentIds)
          remittancePayments.set(pair(remittance_id, payment_id), { remittance_id, payment_id })
        return remittances.set(remittance_id, { ...remittance, remittance_id, created_at: now })
      }),
    find: (businessId, remittanceId) =>
      step(() =>
        Option.filter(
          Option.fromUndefinedOr(remittances.get(remittanceId)),
          ({ business_id }) => business_id === businessId
        )
      ),
    list: (businessId, page) =>
      step(() =>
        pageOf(
          remittances
            .where(({ business_id }) => business_id === businessId)
            .toSorted(descending(({ remittance_id }) => [remittance_id])),
          page
        )
      ),
    entriesOf: (businessId, remittanceIds) =>
      step(() =>
        remittancePayments
          .where(({ remittance_id }) => remittanceIds.includes(remittance_id))
          .flatMap(({ payment_id, remittance_id }) => {
            const entry = payments.get(payment_id)
            return entry?.business_id === businessId ? [{ remittance_id, entry }] : []
          })
          .toSorted((one, other) => one.entry.payment_id - other.entry.payment_id)
      )
  })
)

/** Events as they are stored. */
import { randomBytes } from "node:crypto"

/** The business, id, type and body of an event about `json`, in the order of the parameters of the statements. */
export const eventOf = (businessId, type, json) => {
  const id = `evt_${randomBytes(16).toString("hex")}`
  const created = Math.floor(Date.now() / 1000)
  const body = `{"id":"${id}","type":"${type}","created":${created},"data":${json},"meta":{"business_id":${businessId}}}`
  return [businessId, id, type, body]
}

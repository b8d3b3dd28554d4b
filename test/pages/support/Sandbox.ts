/** A server with an emulated payment provider, and the demonstration business, for the tests of the pages. */
import { bearer, type Client, clientOf } from "../../support/Client.ts"
import { type Installation, installation } from "../../support/Installation.ts"
import type { Server } from "../../support/Server.ts"

/** The server, and a client with the key of its business. */
export interface PagesServer {
  readonly place: Installation
  readonly server: Server
  readonly api: Client
}

/** Starts the server. Its business has a phone number and a colour. */
export const startSandbox = async (): Promise<PagesServer> => {
  const place = await installation({ embedded: "copied" })
  const server = await place.serve(["--sandbox"])
  const key = /lvk_\S+/u.exec(server.program.stdout())?.[0] ?? "none"
  const api = clientOf(server.api, bearer(key))
  await api.patch("/settings/business", {
    business_name: "Lake Limousines",
    phone: "+41 44 123 45 67",
    accent_color: "#0B5D4E",
    timezone: "Europe/Zurich",
    iban: "CH9300762011623852957",
    bic: "POFICHBEXXX"
  })
  return { place, server, api }
}

/**
 * The order in which the modules of a package depend on each other. A module is a folder of `src`, or a folder of a module that is
 * named here.
 *
 * Each line is a level. A module may import the modules of the levels below it. Modules of one level do not import each
 * other. The files directly in a folder compose its modules and may import all of them.
 */

/** The levels of a folder's modules, the lowest first. */
export type ModuleOrder = ReadonlyArray<ReadonlyArray<string>>

const domain: ModuleOrder = [
  ["kernel"],
  ["configuration"],
  ["audit", "business", "events", "mail", "routing"],
  ["identity", "trips", "uploads"],
  ["billing"],
  ["fleet", "flights", "tracking"],
  ["customers", "driving", "fares", "planning", "staff"],
  ["calendars", "settings"],
  ["notices"],
  ["sales"],
  ["moving", "privacy", "reports", "webhooks"],
  ["platform"],
  ["administration"]
]

/**
 * The orders by folder, below `packages`. An adapter's folders are named after the domain's modules and keep their order,
 * above the adapter's own base.
 */
export const orders: Readonly<Record<string, ModuleOrder>> = {
  "domain/src": domain,
  "domain/src/billing": [
    ["invoice"],
    ["ledger"],
    ["accounting"],
    ["bank", "documents", "provider"],
    ["reminders"]
  ],
  "domain/src/fares": [["rules"], ["compiled"], ["engine"], ["tariffs"], ["estimates"], ["trips"], ["pay"]],
  "domain/src/fleet": [["cars"], ["drivers"], ["availability", "invitations", "seats"]],
  "domain/src/identity": [
    ["users", "devices", "screens"],
    ["sessions", "keys"],
    ["credentials"],
    ["accounts", "links"],
    ["provider"]
  ],
  "domain/src/sales": [["fields"], ["products", "quotes"], ["bookings"], ["emails"], ["page"]],
  "domain/src/trips": [
    ["trip"],
    ["schedule", "timeline"],
    ["changes", "lists"],
    ["assignments", "groups", "templates"]
  ],
  "persistence/src": [["migrations"], ["sql"], ["embedded"], ...domain.slice(1)],
  "persistence/src/sql": [
    ["rows", "statements"],
    ["transactions"],
    ["connections", "lists", "schema"],
    ["places"]
  ],
  "memory/src": [["store"], ...domain.slice(1)],
  "contract/src": [["openapi"], ["http"], ...domain.slice(1), ["monitoring"]],
  "http-adapter/src": [["http"], ...domain.slice(1), ["monitoring", "mcp"]],
  "http-adapter/src/http": [
    ["request"],
    ["observation"],
    ["decoding", "responses"],
    ["access"],
    ["pipeline", "server"]
  ],
  "cli/src": [["settings", "terminal", "usage"], ["composition", "observation", "remote"], ["commands"]],
  "cli/src/commands": [
    ["administration", "serving"],
    ["data", "integrating"]
  ],
  "webhooks/src": [["time"], ["posting", "queue"]],
  "integrations/src": [
    ["cryptography", "outgoing", "threads"],
    ["files"],
    [
      "argon2",
      "flights",
      "geocoding",
      "mail",
      "oidc",
      "pdf",
      "planning",
      "push",
      "redis",
      "routing",
      "spreadsheets",
      "stripe",
      "tokens",
      "tracing"
    ]
  ]
}

/**
 * The fault of an import between two files of one folder, given by their paths below it; undefined if the
 * order allows it.
 */
export const orderFault = (order: ModuleOrder, importer: string, imported: string): string | undefined => {
  const [from, to] = [importer, imported].map((path) => (path.includes("/") ? path.split("/")[0] : undefined))
  if (from === undefined || from === to) return undefined
  const levelOf = (module: string) => order.findIndex((level) => level.includes(module))
  const level = levelOf(from)
  const unplaced = [from, to].find((module) => module !== undefined && levelOf(module) < 0)
  if (unplaced !== undefined) return `${unplaced} has no place in the order of modules`
  if (to === undefined) return `${from} may not import ${imported}, which stands above all modules`
  return levelOf(to) < level ? undefined : `${from} may not import ${to}, which is not below it`
}

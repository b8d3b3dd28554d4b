/**
 * The order in which the modules of a package depend on each other. A module is a folder of `src`.
 *
 * Each line is a level. A module may import the modules of the levels below it. Modules of one level do not import each
 * other. The files directly in `src` compose the package and may import all of its modules.
 */

/** The levels of a package's modules, the lowest first. */
export type ModuleOrder = ReadonlyArray<ReadonlyArray<string>>

const domain: ModuleOrder = [
  ["kernel"],
  ["configuration"],
  ["audit", "business", "events", "mail", "routing"],
  ["identity", "trips", "uploads"],
  ["billing"],
  ["fleet", "tracking", "webhooks"],
  ["customers", "driving", "fares", "staff"],
  ["settings"],
  ["sales"],
  ["privacy"],
  ["platform"],
  ["administration"]
]

/** An adapter's folders are named after the domain's modules and keep their order, above the adapter's own base. */
export const orders: Readonly<Record<string, ModuleOrder>> = {
  domain,
  persistence: [["migrations"], ["sql"], ["embedded"], ...domain.slice(1)],
  memory: [["store"], ...domain.slice(1)],
  "http-adapter": [["openapi"], ["http"], ...domain.slice(1), ["monitoring"]],
  webhooks: [["time"], ["posting", "queue"]],
  integrations: [
    ["cryptography", "outgoing"],
    ["argon2", "files", "mail", "oidc", "pdf", "redis", "routing", "stripe", "tokens", "tracing"]
  ]
}

/**
 * What is wrong with an import between two files of one package, given by their paths below `src`; undefined if the
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

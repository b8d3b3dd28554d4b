/** The screens of the office. Each is a folder, which is loaded when its screen is first shown. */
import type { JSX } from "preact"
import { type WordModules, wordsOf } from "../i18n/Language.ts"
import type { AppIconName } from "./parts/AppIcon.tsx"
import type { Area } from "./Member.ts"
import { beginBoard } from "./FirstBoard.ts"
import type { AppWords } from "./words/en.ts"

/** What a screen gets: its words, and the parts of its address after its own name (`["17"]` of `/app/trips/17`). */
export interface ScreenProps<W> {
  readonly words: W
  readonly rest: ReadonlyArray<string>
}

/** What the module of a screen exports as `screen`. */
export type Screen<W> = (props: ScreenProps<W>) => JSX.Element | null

/** An entry of the navigation. */
export interface Entry {
  /** The first part of the address; empty for the screen at `/app`. */
  readonly name: string
  /** The key of its title in the words of the office. */
  readonly title: keyof AppWords
  readonly icon: AppIconName
  /** The area whose records it reads; `platform` is for super-admins. */
  readonly area: Area | "platform"
  /** The name of the screen that stands for it in the navigation; without it, it stands there itself. */
  readonly within?: string
  /** The key after `g` that shows it. */
  readonly key: string
  /** Only the frame puts a screen and its words together: it does not know their kind. */
  readonly load: () => Promise<{ readonly screen: Screen<never> }>
  readonly words: WordModules<unknown>
  /** Begins to read what the screen shows, if the office opens with it. */
  readonly begin?: () => void
}

export const entries: ReadonlyArray<Entry> = [
  {
    name: "",
    title: "board",
    icon: "board",
    area: "operations",
    key: "b",
    load: () => import("./board/BoardScreen.tsx"),
    words: import.meta.glob("./words/*.ts", { base: "./board", import: "default" }),
    begin: beginBoard
  },
  {
    name: "trips",
    title: "trips",
    icon: "trips",
    area: "operations",
    key: "t",
    load: () => import("./trips/TripsScreen.tsx"),
    words: import.meta.glob("./words/*.ts", { base: "./trips", import: "default" })
  },
  {
    name: "customers",
    title: "customers",
    icon: "customers",
    area: "customers",
    key: "c",
    load: () => import("./customers/CustomersScreen.tsx"),
    words: import.meta.glob("./words/*.ts", { base: "./customers", import: "default" })
  },
  {
    name: "drivers",
    title: "drivers",
    icon: "driver",
    area: "operations",
    key: "d",
    load: () => import("./drivers/DriversScreen.tsx"),
    words: import.meta.glob("./words/*.ts", { base: "./drivers", import: "default" })
  },
  {
    name: "cars",
    title: "cars",
    icon: "car",
    area: "operations",
    key: "v",
    load: () => import("./cars/CarsScreen.tsx"),
    words: import.meta.glob("./words/*.ts", { base: "./cars", import: "default" })
  },
  {
    name: "money",
    title: "money",
    icon: "money",
    area: "billing",
    key: "m",
    load: () => import("./money/MoneyScreen.tsx"),
    words: import.meta.glob("./words/*.ts", { base: "./money", import: "default" })
  },
  {
    name: "sales",
    title: "sales",
    icon: "sales",
    area: "sales",
    key: "s",
    load: () => import("./sales/SalesScreen.tsx"),
    words: import.meta.glob("./words/*.ts", { base: "./sales", import: "default" })
  },
  {
    name: "tariffs",
    title: "tariffs",
    icon: "tariff",
    area: "tariffs",
    key: "f",
    load: () => import("./tariffs/TariffsScreen.tsx"),
    words: import.meta.glob("./words/*.ts", { base: "./tariffs", import: "default" })
  },
  {
    name: "reports",
    title: "reports",
    icon: "chart",
    area: "billing",
    key: "r",
    load: () => import("./reports/ReportsScreen.tsx"),
    words: import.meta.glob("./words/*.ts", { base: "./reports", import: "default" })
  },
  {
    name: "settings",
    title: "settings",
    icon: "gear",
    area: "settings",
    key: "e",
    load: () => import("./settings/SettingsScreen.tsx"),
    words: import.meta.glob("./words/*.ts", { base: "./settings", import: "default" })
  },
  {
    name: "import",
    title: "imports",
    icon: "gear",
    area: "settings",
    within: "settings",
    key: "i",
    load: () => import("./imports/ImportScreen.tsx"),
    words: import.meta.glob("./words/*.ts", { base: "./imports", import: "default" })
  },
  {
    name: "platform",
    title: "platform",
    icon: "platform",
    area: "platform",
    key: "p",
    load: () => import("./platform/PlatformScreen.tsx"),
    words: import.meta.glob("./words/*.ts", { base: "./platform", import: "default" })
  }
]

/** The entry of the first part of an address. */
export const entryOf = (name = ""): Entry | undefined => entries.find((known) => known.name === name)

/** A screen with the words of the page's language. */
export interface Loaded {
  readonly name: string
  readonly words: unknown
  readonly Screen: Screen<never>
}

/** The screens that were loaded, by their names. */
export const loaded = new Map<string, Loaded>()

/** Loads a screen beside its words. */
export const loadScreen = async ({ load, name, words }: Entry): Promise<Loaded> => {
  const [{ screen }, read] = await Promise.all([load(), wordsOf(words)])
  const known = { name, Screen: screen, words: read }
  loaded.set(name, known)
  return known
}

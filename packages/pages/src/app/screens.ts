/** The screens of the office. Each is a folder, which is loaded when its screen is first shown. */
import type { JSX } from "preact"
import { type WordModules, wordsOf } from "../i18n/Language.ts"
import type { AppIconName } from "./parts/AppIcon.tsx"
import type { Area } from "./Member.ts"
import type { AppWords } from "./words/en.ts"

/** What a screen gets: its words, and the parts of its address after its own name (`["17"]` of `/app/trips/17`). */
export interface ScreenProps<W> {
  readonly words: W
  readonly rest: ReadonlyArray<string>
}

/** What the module of a screen exports as `screen`. */
export interface ScreenModule<W> {
  readonly words: WordModules<W>
  readonly Screen: (props: ScreenProps<W>) => JSX.Element | null
}

/** A screen with words of its own kind: only the frame, which puts both together, does not know which. */
export interface AnyScreen {
  readonly words: WordModules<unknown>
  readonly Screen: (props: ScreenProps<never>) => JSX.Element | null
}

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
  readonly load: () => Promise<{ readonly screen: AnyScreen }>
}

export const entries: ReadonlyArray<Entry> = [
  {
    name: "",
    title: "board",
    icon: "board",
    area: "operations",
    key: "b",
    load: () => import("./board/BoardScreen.tsx")
  },
  {
    name: "trips",
    title: "trips",
    icon: "trips",
    area: "operations",
    key: "t",
    load: () => import("./trips/TripsScreen.tsx")
  },
  {
    name: "customers",
    title: "customers",
    icon: "customers",
    area: "customers",
    key: "c",
    load: () => import("./customers/CustomersScreen.tsx")
  },
  {
    name: "drivers",
    title: "drivers",
    icon: "driver",
    area: "operations",
    key: "d",
    load: () => import("./drivers/DriversScreen.tsx")
  },
  {
    name: "cars",
    title: "cars",
    icon: "car",
    area: "operations",
    key: "v",
    load: () => import("./cars/CarsScreen.tsx")
  },
  {
    name: "money",
    title: "money",
    icon: "money",
    area: "billing",
    key: "m",
    load: () => import("./money/MoneyScreen.tsx")
  },
  {
    name: "sales",
    title: "sales",
    icon: "sales",
    area: "sales",
    key: "s",
    load: () => import("./sales/SalesScreen.tsx")
  },
  {
    name: "tariffs",
    title: "tariffs",
    icon: "tariff",
    area: "tariffs",
    key: "f",
    load: () => import("./tariffs/TariffsScreen.tsx")
  },
  {
    name: "reports",
    title: "reports",
    icon: "chart",
    area: "billing",
    key: "r",
    load: () => import("./reports/ReportsScreen.tsx")
  },
  {
    name: "settings",
    title: "settings",
    icon: "gear",
    area: "settings",
    key: "e",
    load: () => import("./settings/SettingsScreen.tsx")
  },
  {
    name: "import",
    title: "imports",
    icon: "gear",
    area: "settings",
    within: "settings",
    key: "i",
    load: () => import("./imports/ImportScreen.tsx")
  },
  {
    name: "platform",
    title: "platform",
    icon: "platform",
    area: "platform",
    key: "p",
    load: () => import("./platform/PlatformScreen.tsx")
  }
]

/** The entry of the first part of an address. */
export const entryOf = (name = ""): Entry | undefined => entries.find((known) => known.name === name)

/** A screen with the words of the page's language. */
export interface Loaded {
  readonly name: string
  readonly words: unknown
  readonly Screen: AnyScreen["Screen"]
}

/** The screens that were loaded, by their names. */
export const loaded = new Map<string, Loaded>()

/** Loads a screen and its words. */
export const loadScreen = async ({ load, name }: Entry): Promise<Loaded> => {
  const { screen } = await load()
  const known = { name, Screen: screen.Screen, words: await wordsOf(screen.words) }
  loaded.set(name, known)
  return known
}

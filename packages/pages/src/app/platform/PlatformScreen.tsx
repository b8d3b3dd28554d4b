/** The platform, for super-admins, one section at a time: `/app/platform/businesses`, and one record: `/app/platform/businesses/7`. */
import type { ComponentChildren, JSX } from "preact"
import { isSuperAdmin } from "../Member.ts"
import { EmptyState } from "../../components/EmptyState.tsx"
import { Page } from "../parts/Page.tsx"
import { Sections } from "../parts/Sections.tsx"
import type { Screen, ScreenProps } from "../screens.ts"
import { Business, Businesses } from "./Businesses.tsx"
import { Audits, Coupons, Invoice, Invoices, Plans } from "./Lists.tsx"
import { Health } from "./Health.tsx"
import { PlatformSettings } from "./PlatformSettings.tsx"
import { Users, UserRecord } from "./Users.tsx"
import "./platform.css"
import type { PlatformWords } from "./words/en.ts"

const names = ["businesses", "users", "plans", "coupons", "invoices", "settings", "audit", "health"] as const

type Section = (typeof names)[number]

const contentOf = (section: Section, id: string | undefined, words: PlatformWords): ComponentChildren => {
  if (section === "businesses")
    return id === undefined ? (
      <Businesses words={words} />
    ) : (
      <Business key={id} id={Number(id)} words={words} />
    )
  if (section === "users")
    return id === undefined ? <Users words={words} /> : <UserRecord key={id} id={Number(id)} words={words} />
  if (section === "plans") return <Plans words={words} />
  if (section === "coupons") return <Coupons words={words} />
  if (section === "invoices")
    return id === undefined ? <Invoices words={words} /> : <Invoice key={id} id={Number(id)} words={words} />
  if (section === "settings") return <PlatformSettings words={words} />
  return section === "audit" ? <Audits words={words} /> : <Health words={words} />
}

const Platform = ({ rest: [name, id], words }: ScreenProps<PlatformWords>): JSX.Element => {
  const section = names.find((it) => it === name) ?? "businesses"
  return (
    <Page title={words.platform}>
      {isSuperAdmin() ? (
        <>
          <Sections
            label={words.sections}
            current={`/platform/${section}`}
            links={names.map((it) => [`/platform/${it}`, words[it]] as const)}
          />
          {contentOf(section, id, words)}
        </>
      ) : (
        <EmptyState icon="info" title={words.forbidden} />
      )}
    </Page>
  )
}

export const screen: Screen<PlatformWords> = Platform

/** Settings of the business, one section at a time: `/app/settings/company`. Each card is edited in place. */
import type { ComponentChildren, JSX } from "preact"
import { api } from "../Api.ts"
import { type Area, mayRead, mayWrite } from "../Member.ts"
import { CalendarLink } from "../parts/CalendarLink.tsx"
import { Loaded, type Reading, useReading } from "../parts/Loaded.tsx"
import { Page } from "../parts/Page.tsx"
import { Sections } from "../parts/Sections.tsx"
import { hrefOf } from "../Router.ts"
import type { Screen, ScreenProps } from "../screens.ts"
import { accountCards } from "./Accounts.ts"
import { Brand } from "./Brand.tsx"
import { Card } from "./Card.tsx"
import { cards } from "./Cards.ts"
import { Emails } from "./Emails.tsx"
import { Flights } from "./Flights.tsx"
import { Keys } from "./Keys.tsx"
import { Members } from "./Members.tsx"
import { Notices } from "./Notices.tsx"
import "./settings.css"
import { Webhooks } from "./Webhooks.tsx"
import type { SettingsWords } from "./words/en.ts"
import type { Settings } from "@livery/client"

/** The sections, each with the area whose rights decide who sees it. */
const sections = {
  company: "settings",
  brand: "settings",
  booking: "settings",
  dispatch: "settings",
  invoices: "settings",
  taxes: "settings",
  emails: "settings",
  notices: "settings",
  members: "members",
  keys: "api_keys",
  webhooks: "webhooks",
  accounts: "settings"
} as const satisfies Readonly<Record<string, Area>>

type Section = keyof typeof sections

const names = Object.keys(sections) as ReadonlyArray<Section>

interface Props {
  readonly reading: Reading<Settings>
  readonly settings: Settings
  readonly words: SettingsWords
}

const contentOf = (section: Section, id: string | undefined, props: Props): ComponentChildren => {
  const { words } = props
  if (section === "members") return <Members words={words} />
  if (section === "keys") return <Keys words={words} />
  if (section === "webhooks") return <Webhooks id={id} words={words} />
  if (section === "brand") return <Brand {...props} />
  if (section === "notices") return <Notices words={words} />
  if (section === "emails") return <Emails {...props} />
  const kinds = section === "accounts" ? accountCards : cards[section]
  return [
    ...kinds.map((kind) => <Card key={kind.title(words)} kind={kind} {...props} />),
    section === "dispatch" && <Flights key="flights" words={words} />,
    section === "dispatch" && mayWrite("operations") && (
      <CalendarLink
        key="calendar"
        create={() => api.calendars.linkOffice()}
        end={() => api.calendars.unlinkOffice()}
        words={words}
      />
    )
  ]
}

const SettingsOf = ({ rest: [name, id], words }: ScreenProps<SettingsWords>): JSX.Element => {
  const reading = useReading("settings", () => api.settings.read())
  const section = names.find((it) => it === name) ?? "company"
  return (
    <Page
      title={words.settings}
      actions={
        <a class="button" href={hrefOf("/import")}>
          {words.imports}
        </a>
      }
    >
      <Sections
        label={words.sections}
        current={`/settings/${section}`}
        links={names
          .filter((it) => mayRead(sections[it]))
          .map((it) => [`/settings/${it}`, words[it]] as const)}
      />
      {!mayWrite(sections[section]) && <p class="muted">{words.readOnly}</p>}
      <Loaded reading={reading} words={words}>
        {(settings) => (
          <div class="record-grid" key={section}>
            {contentOf(section, id, { reading, settings, words })}
          </div>
        )}
      </Loaded>
    </Page>
  )
}

export const screen: Screen<SettingsWords> = SettingsOf

/** The navigation: beside the screen on a wide display, above it on a narrow one. */
import type { JSX } from "preact"
import { useEffect, useState } from "preact/hooks"
import { signOut } from "../api/Session.ts"
import { changeLanguage, language, offered } from "../i18n/Language.ts"
import { languages } from "../i18n/Languages.ts"
import { member } from "./Member.ts"
import { openHelp, openPalette } from "./Overlays.tsx"
import { keep } from "./Preferences.ts"
import { address, hrefOf } from "./Router.ts"
import type { Entry } from "./screens.ts"
import { goToSignIn, pageBeside } from "./SignIn.ts"
import { chooseTheme, theme, themes } from "./Theme.ts"
import { AppIcon } from "./parts/AppIcon.tsx"
import type { AppWords } from "./words/en.ts"

const speak = async (code: string) => {
  const chosen = offered.find((known) => known === code) ?? language
  await keep({ language: chosen })
  changeLanguage(chosen)
}

const show = (name: string) => {
  const chosen = themes.find((known) => known === name) ?? "system"
  chooseTheme(chosen)
  void keep({ theme: chosen })
}

const leave = async () => {
  await signOut()
  goToSignIn()
}

const Settings = ({ words }: { readonly words: AppWords }) => (
  <div class="own">
    <label>
      {words.language}
      <select value={language} onChange={({ currentTarget }) => void speak(currentTarget.value)}>
        {offered.map((code) => (
          <option key={code} value={code} lang={code}>
            {languages[code]}
          </option>
        ))}
      </select>
    </label>
    <label>
      {words.theme}
      <select value={theme.value} onChange={({ currentTarget: { value } }) => show(value)}>
        {themes.map((name) => (
          <option key={name} value={name}>
            {words[name]}
          </option>
        ))}
      </select>
    </label>
    <button type="button" class="nav-item" onClick={openHelp}>
      <AppIcon name="keyboard" />
      {words.help}
    </button>
    <a class="nav-item" href={pageBeside("login")}>
      <AppIcon name="person" />
      <bdi>{member.value?.user.name}</bdi>
    </a>
    <button type="button" class="nav-item" onClick={() => void leave()}>
      <AppIcon name="leave" />
      {words.signOut}
    </button>
  </div>
)

export const Navigation = ({
  current,
  entries,
  words
}: {
  readonly current: string
  readonly entries: ReadonlyArray<Entry>
  readonly words: AppWords
}): JSX.Element => {
  const [isOpen, setOpen] = useState(false)
  const { business, role } = member.value ?? {}
  useEffect(() => setOpen(false), [address.value.path])
  return (
    <header class={isOpen ? "side open" : "side"}>
      <div class="side-head">
        <button
          type="button"
          class="icon-button menu"
          aria-expanded={isOpen}
          aria-controls="navigation"
          onClick={() => setOpen(!isOpen)}
        >
          <AppIcon name="menu" />
          <span class="unseen">{words.menu}</span>
        </button>
        <span class="business">
          <bdi>{business?.business_name ?? "Livery"}</bdi>
          {role !== undefined && role !== "api_key" && <span class="muted small">{words[role]}</span>}
        </span>
        <button type="button" class="icon-button" onClick={openPalette}>
          <AppIcon name="search" />
          <span class="unseen">{words.commands}</span>
        </button>
      </div>
      <div class="side-body" id="navigation">
        <nav aria-label={words.menu}>
          {entries.map(({ icon, name, title }) => (
            <a
              key={name}
              class="nav-item"
              href={hrefOf(`/${name}`)}
              aria-current={name === current ? "page" : undefined}
            >
              <AppIcon name={icon} />
              {words[title]}
            </a>
          ))}
        </nav>
        <Settings words={words} />
      </div>
    </header>
  )
}

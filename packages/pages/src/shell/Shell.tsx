/** The frame of every screen: the business above, the language below. */
import type { ComponentChildren, JSX } from "preact"
import { Toasts } from "../components/Toast.tsx"
import { language } from "../i18n/Language.ts"
import { languages } from "../i18n/Languages.ts"
import type { SharedWords } from "../words/en.ts"
import { type Brand, ownLogo } from "./Brand.ts"

const changeLanguage = (code: string) => {
  const address = new URL(location.href)
  address.searchParams.set("lang", code)
  location.replace(address)
}

export const Shell = ({
  brand,
  children,
  words
}: {
  readonly brand: Brand | undefined
  readonly words: SharedWords
  readonly children: ComponentChildren
}): JSX.Element => {
  const logo = brand && ownLogo(brand)
  return (
    <>
      <header class="bar">
        {logo !== undefined && <img src={logo} alt="" />}
        <span dir="auto">{brand?.business_name}</span>
      </header>
      <main class="page">{children}</main>
      <footer class="foot no-print">
        <label>
          {words.language}
          <select value={language} onChange={({ currentTarget }) => changeLanguage(currentTarget.value)}>
            {Object.entries(languages).map(([code, name]) => (
              <option key={code} value={code} lang={code}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </footer>
      <Toasts />
    </>
  )
}

/** What is shown while a screen loads. Its parts have the places of the screen's own. */
export const Skeleton = ({
  heights,
  words
}: {
  readonly heights: ReadonlyArray<number>
  readonly words: SharedWords
}): JSX.Element => (
  <div class="skeleton" role="status" aria-label={words.loading}>
    {heights.map((height, index) => (
      <svg key={index} width="100%" height={height} aria-hidden="true" />
    ))}
  </div>
)

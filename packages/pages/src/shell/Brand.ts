/** How the business presents itself on a page: its name, its logo and its colour. */

/** The brand in a public record. */
export interface Brand {
  readonly business_name: string
  readonly phone: string | null
  readonly logo_url: string | null
  readonly accent_color: string | null
}

/** Uses the colour of the business for buttons, links and the focus. On a dark page, it is bright enough to be read. */
export const applyAccent = (color: string | null): void => {
  if (color === null || !/^#[0-9a-f]{6}$/iu.test(color)) return
  const { style } = document.documentElement
  style.setProperty("--accent", `light-dark(${color}, oklch(from ${color} max(l, 0.75) c h))`)
}

/** The logo, if it lies on the server of the page: it loads no others. */
export const ownLogo = ({ logo_url }: Brand): string | undefined =>
  logo_url !== null && logo_url.startsWith(`${location.origin}/`) ? logo_url : undefined

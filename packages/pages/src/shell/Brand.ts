/** How the business presents itself on a page: its name, its logo and its colour. */

/** The brand in a public record. */
export interface Brand {
  readonly business_name: string
  readonly phone: string | null
  readonly logo_url: string | null
  readonly accent_color: string | null
}

const channel = (value: number) => {
  const part = value / 255
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
}

const channelsOf = (color: string) => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))

/** How bright a colour is, from 0 to 1 (WCAG). */
const luminanceOf = (channels: ReadonlyArray<number>) => {
  const [red = 0, green = 0, blue = 0] = channels.map(channel)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** The colour as it is on a light page, and bright enough to be read on a dark one. */
const onDark = (color: string) => {
  let channels = channelsOf(color)
  while (luminanceOf(channels) < 0.3)
    channels = channels.map((value) => Math.round(value + (255 - value) * 0.15))
  return `#${channels.map((value) => value.toString(16).padStart(2, "0")).join("")}`
}

/** Uses the colour of the business for buttons, links and the focus. */
export const applyAccent = (color: string | null): void => {
  if (color === null || !/^#[0-9a-f]{6}$/iu.test(color)) return
  const { style } = document.documentElement
  style.setProperty("--accent", `light-dark(${color}, ${onDark(color)})`)
}

/** The logo, if it lies on the server of the page: it loads no others. */
export const ownLogo = ({ logo_url }: Brand): string | undefined =>
  logo_url !== null && logo_url.startsWith(`${location.origin}/`) ? logo_url : undefined

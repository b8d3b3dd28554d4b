/** The way to the sign-in and back. */

/** The name of the mark that says where to go after the sign-in. It lasts as long as the tab. */
export const returnMark = "livery.return"

/** The addresses of other pages, also below a path of a proxy. */
export const pageBeside = (name: string): string =>
  `${/^.*?(?=\/app(?:\/|$))/u.exec(location.pathname)?.[0] ?? ""}/${name}`

/** Leads to the sign-in, which leads back here. */
export const goToSignIn = (): void => {
  sessionStorage.setItem(returnMark, `${location.pathname}${location.search}`)
  location.replace(pageBeside("login"))
}

/** Whether a URL's host is this machine. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "[::1]" || /^127(?:\.\d{1,3}){3}$/u.test(host)

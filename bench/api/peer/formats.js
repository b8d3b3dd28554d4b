/** The formats that the schemas name. */

const timestamp =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(?:[Zz]|[+-](\d{2}):?(\d{2}))?$/u

const isDay = (year, month, day) => {
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}

/** RFC 3339 from 1970 to 2999, the offset optional. */
const isTimestamp = (text) => {
  const found = timestamp.exec(text.trim())
  if (found === null) return false
  const [year, month, day, hour, minute, second, offsetHour, offsetMinute] = found
    .slice(1)
    .map((digits) => Number(digits ?? 0))
  return (
    year >= 1970 &&
    year < 3000 &&
    isDay(year, month, day) &&
    hour < 24 &&
    minute < 60 &&
    second < 60 &&
    offsetHour <= 14 &&
    offsetMinute < 60
  )
}

const isEmail = (text) =>
  text.trim() === "" || /^[^\s@"(),:;<>[\\\]]{1,64}@(?:[^\s@._]+\.)+[^\s@._]+$/u.test(text.trim())

export const formats = {
  "date-time": isTimestamp,
  email: isEmail,
  currency: /^\s*[A-Za-z]{3}\s*$/u
}

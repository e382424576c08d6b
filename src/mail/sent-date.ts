const names: Readonly<Record<string, number>> = {
  ...numbered('jan feb mar apr may jun jul aug sep oct nov dec'),
  ...numbered('januar februar märz april mai juni juli august september oktober november dezember'),
  ...numbered('january february march april may june july august september october november december'),
  ...numbered('jän feber mrz apr mai jun jul aug sept okt nov dez'),
}

/** Minutes east of UTC. */
const zones: Readonly<Record<string, number>> = {
  ...{ ut: 0, utc: 0, gmt: 0, z: 0, wez: 0, wet: 0, west: 60, bst: 60, cet: 60, mez: 60, cest: 120, mesz: 120 },
  ...{ eet: 120, oez: 120, eest: 180, oesz: 180, msk: 180, ist: 330, jst: 540 },
  ...{ est: -300, edt: -240, cst: -360, cdt: -300, mst: -420, mdt: -360, pst: -480, pdt: -420 },
}

interface Parts {
  year: number
  month: number
  day: number
  hour: number
  minute: number
  second: number
}

/** The value of a Date field (RFC 5322, with its obsolete forms) as ISO 8601 in UTC; null if it is no date. */
export function sentAtOf(value: string | undefined): string | null {
  const plain = (value ?? '')
    .slice(0, 200)
    .replace(/\([^()]*\)/g, ' ')
    .trim()
  const form =
    /^(?:[a-z]{2,9}\.?\s*,?\s*)?(\d{1,2})[\s-]+([a-z]{3,9})\.?[\s-]+(\d{2,4})\s+(\d{1,2}):(\d{2})(?::(\d{2}))?\s*([+-]\d{4}|[a-z]{1,5})?$/i
  const [, day, month, year, hour, minute, second, zone] = form.exec(plain) ?? []
  if (day === undefined) return null
  const offset = zone === undefined ? 0 : offsetOf(zone)
  const parts = { year: fullYear(year!), month: names[month!.toLowerCase()] ?? 0, day: Number(day) }
  return isoOf({ ...parts, hour: Number(hour), minute: Number(minute), second: Number(second ?? 0) }, offset ?? 0)
}

/** The zone of a Date field, in minutes east of UTC; 0 if it has none. */
export function zoneOf(value: string | undefined): number {
  const [, zone] = /([+-]\d{4})\s*(?:\([^()]*\)\s*)?$/.exec((value ?? '').trim()) ?? []
  return zone === undefined ? 0 : (offsetOf(zone) ?? 0)
}

/**
 * A date as mail programs write it above a message that is forwarded, in English or German: `Tue, Mar 3, 2026 at 10:11 AM`,
 * `Dienstag, 3. März 2026 10:11`, `03.03.2026 um 10:11:12 MEZ`. Null if it is none. `offset`: where it names no zone.
 */
export function writtenDate(text: string, offset: number): string | null {
  const plain = text
    .slice(0, 200)
    .replace(/[\u00a0\u202f]/g, ' ')
    .trim()
  const exact = sentAtOf(plain)
  if (exact !== null && /[+-]\d{4}/.test(plain)) return exact
  const day = dayOf(plain)
  const [clock, hour, minute, second, half] =
    /(\d{1,2})[:.](\d{2})(?::(\d{2}))?(?:\s*([ap])\.?m\b\.?)?/i.exec(plain.slice(day?.end ?? 0)) ?? []
  if (!day || clock === undefined) return null
  const after = plain.slice(plain.indexOf(clock, day.end) + clock.length)
  const [, zone, sign, hours, minutes] =
    /\b([A-Z]{2,5})(?:([+-])(\d{1,2})(?::?(\d{2}))?)?/.exec(after.replace(/\bUhr\b/, '')) ?? []
  const shift = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * (sign === '-' ? -1 : 1)
  const named = zone === undefined ? undefined : zones[zone.toLowerCase()]
  const clockHour = half ? (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : Number(hour)
  const { year, month, day: date } = day
  const time = { hour: clockHour, minute: Number(minute), second: Number(second ?? 0) }
  return isoOf({ year, month, day: date, ...time }, named === undefined ? offset : named + shift)
}

function dayOf(text: string): { year: number; month: number; day: number; end: number } | undefined {
  const forms: [RegExp, (found: string[]) => [string, string, string]][] = [
    [/(\d{1,2})\.?\s+([\p{L}]{3,9})\.?,?\s+(\d{4})/u, ([day, month, year]) => [year!, month!, day!]],
    [/([\p{L}]{3,9})\.?\s+(\d{1,2}),?\s+(\d{4})/u, ([month, day, year]) => [year!, month!, day!]],
    [/(\d{1,2})\.(\d{1,2})\.(\d{2,4})/, ([day, month, year]) => [year!, month!, day!]],
    [/(\d{4})-(\d{2})-(\d{2})/, ([year, month, day]) => [year!, month!, day!]],
    [/(\d{1,2})\/(\d{1,2})\/(\d{4})/, ([month, day, year]) => [year!, month!, day!]],
  ]
  for (const [form, order] of forms) {
    const found = form.exec(text)
    if (!found) continue
    const [year, month, day] = order(found.slice(1))
    const number = /^\d/.test(month) ? Number(month) : names[month.toLowerCase()]
    if (number !== undefined)
      return { year: fullYear(year), month: number, day: Number(day), end: found.index + found[0].length }
  }
  return undefined
}

function offsetOf(zone: string): number | undefined {
  const [, sign, hours, minutes] = /^([+-])(\d{2})(\d{2})$/.exec(zone) ?? []
  if (sign === undefined) return zones[zone.toLowerCase()]
  return (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1)
}

function fullYear(text: string): number {
  const year = Number(text)
  if (text.length > 2) return text.length === 3 ? 1900 + year : year
  return year < 50 ? 2000 + year : 1900 + year
}

/** Null for a date that the calendar does not have. */
function isoOf({ year, month, day, hour, minute, second }: Parts, offset: number): string | null {
  const local = new Date(Date.UTC(year, month - 1, day, hour, minute, Math.min(second, 59)))
  const exists = local.getUTCMonth() === month - 1 && local.getUTCDate() === day && local.getUTCHours() === hour
  if (!exists || minute > 59 || second > 60 || year < 1970 || year > 9998 || Math.abs(offset) > 1_440) return null
  return new Date(local.getTime() - offset * 60_000).toISOString()
}

function numbered(list: string): Record<string, number> {
  return Object.fromEntries(list.split(' ').map((name, index) => [name, index + 1]))
}

import { dayMs, hourMs, minuteMs, secondMs } from './clock.ts'

const pattern =
  /^P(?=.)(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?=.)(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,12}(?:\.\d{1,3})?)S)?)?$/
const units = [7 * dayMs, dayMs, hourMs, minuteMs, secondMs]

/** The milliseconds of an ISO 8601 duration in weeks, days, hours, minutes and seconds, such as `PT36H`; undefined if it is none. */
export function parseDuration(text: string): number | undefined {
  const [, ...amounts] = pattern.exec(text) ?? []
  if (amounts.length === 0) return undefined
  return Math.round(amounts.reduce((sum, amount, n) => sum + Number(amount ?? 0) * units[n]!, 0))
}

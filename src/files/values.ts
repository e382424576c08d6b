import { fold } from '../lib/text.ts'

const flags: Readonly<Record<string, boolean>> = {
  ...{ true: true, yes: true, y: true, x: true, '1': true, ja: true, wahr: true },
  ...{ false: false, no: false, n: false, '0': false, nein: false, falsch: false },
}

/** Other text is returned unchanged, for the validation to reject. So do the functions below. */
export function readFlag(cell: string): unknown {
  return flags[cell.toLowerCase()] ?? cell
}

export function readJson(cell: string): unknown {
  try {
    return JSON.parse(cell)
  } catch {
    return cell
  }
}

export function readNumber(cell: string): unknown {
  const plain = withPoint(cell)
  return /^-?\d{1,15}(?:\.\d{1,15})?$/.test(plain) ? Number(plain) : cell
}

/** `1.500,50`, `1,500.50` and `12,5` as a decimal with a point. What may mean two numbers (`1,500`) is unchanged. */
function withPoint(cell: string): string {
  if (/^-?\d{1,3}(?:\.\d{3})+,\d+$/.test(cell)) return cell.replaceAll('.', '').replace(',', '.')
  if (/^-?\d{1,3}(?:,\d{3})+\.\d+$/.test(cell)) return cell.replaceAll(',', '')
  return /^-?\d+,\d{1,2}$/.test(cell) ? cell.replace(',', '.') : cell
}

/** `31.12.2026` and `2026-12-31 23:11` are the day `2026-12-31`. Slashes would be ambiguous. */
export function readDate(cell: string): string {
  const [, day, month, year] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(cell) ?? []
  if (year) return `${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}`
  return /^(\d{4}-\d\d-\d\d)[ T]\d\d:\d\d\S*$/.exec(cell)?.[1] ?? cell
}

/** `In progress` is `in_progress`. */
export function readOption(options: readonly string[], cell: string): string {
  const name = fold(cell).replace(/[\s-]+/g, '_')
  return options.find((option) => fold(option) === name) ?? cell
}

/** Reads the value of a declared field by its type. */
export function readDeclared(type: string, cell: string): unknown {
  if (type === 'boolean') return readFlag(cell)
  if (type === 'number') return readNumber(cell)
  return type === 'date' ? readDate(cell) : cell
}

/** Splits a name into first and last name: at a comma, otherwise before the last word and its particles (`van`, `von der`). */
export function splitName(name: string): { first_name: string; last_name?: string } {
  const [last, first] = name.split(/\s*,\s*/)
  if (first && last && name.split(',').length === 2) return { first_name: first, last_name: last }
  const [, before, after] =
    /^(.+?)\s+((?:(?:van|von|de|der|den|zu|zum|del|della|di|da|dos|la|le|bin|al)\s+)*\S+)$/i.exec(name) ?? []
  return before && after ? { first_name: before, last_name: after } : { first_name: name }
}

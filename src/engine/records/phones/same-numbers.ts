import type { PhoneMarks } from './phone-forms.ts'

/** Numbers whose last digits differ are never the same. A shorter number in national notation is only equal to itself. */
const lastDigitsMax = 7

/** An SQL expression that is the same for the keys of numbers that are the same. */
export function lastDigits(key: string): string {
  return `substr(ltrim(${key}, '+'), -${lastDigitsMax})`
}

/** Groups the keys of numbers that are the same, also through others. */
export function groupNumbers(keys: Iterable<string>, marksOf: PhoneMarks): string[][] {
  const groups = new Map<string, Group>()
  for (const key of keys) {
    const marks = marksOf(key)
    const own = marks.flatMap((mark) => groups.get(mark) ?? [])[0] ?? { keys: [], marks: [] }
    own.keys.push(key)
    for (const mark of marks) {
      const other = groups.get(mark)
      if (other === own) continue
      own.keys.push(...(other?.keys ?? []))
      own.marks.push(mark, ...(other?.marks ?? []))
      for (const each of [mark, ...(other?.marks ?? [])]) groups.set(each, own)
    }
  }
  return [...new Set(groups.values())].map(({ keys }) => keys)
}

interface Group {
  keys: string[]
  marks: string[]
}

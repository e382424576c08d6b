import { isPlainObject } from '../../engine/records/kinds/fields.ts'
import { isKnown } from '../../files/match.ts'
import { namedRecord } from '../../files/references.ts'
import type { Shape } from '../../files/shape.ts'
import { targetOf } from '../../files/target.ts'
import { isRawNumber } from '../../lib/exact-json.ts'

type Cell = [path: string, text: string]

/** Returns a function that makes the cells of a JSON record, by the paths from which a table is imported: `first_name`, `stage.name`, `contacts[1].id`. */
export function cellMaker(shape: Shape): (value: unknown) => Map<string, string> {
  const known = new Map<string, boolean>()
  const isPath = (path: string) => {
    if (!known.has(path)) known.set(path, targetOf(shape, path) !== undefined)
    return known.get(path)
  }
  return (value) => {
    const record = namedRecord(shape, value) ?? value
    if (!isPlainObject(record)) return new Map()
    return new Map(
      Object.entries(record).flatMap(([name, member]): Cell[] => {
        if (isPath(name)) return member === null ? [] : [[name, textOf(member)]]
        const by = Object.hasOwn(shape.named, name) ? shape.named[name]!.by.at(-1) : undefined
        const isName = by !== undefined && (typeof member !== 'object' || isRawNumber(member))
        return cellsIn(isName ? `${name}.${by}` : name, member).filter(([path]) => isPath(path))
      }),
    )
  }
}

/** Returns a function that names the members with data of which nothing is imported. */
export function dropper(shape: Shape): (value: unknown) => string[] {
  const { fields, collections, relations, named, links = {} } = shape
  const names = new Set([
    ...fields.map(({ name }) => name),
    ...Object.entries(collections).flatMap(([name, { as }]) => [name, as]),
    ...[...Object.values(relations), ...Object.keys(links)],
    ...Object.values(named).flatMap(({ within }) => within?.name ?? []),
  ])
  const isDropped = ([name, value]: [string, unknown]) =>
    !names.has(name) && !isKnown(shape, name) && cellsIn(name, value).some(([, text]) => text.trim() !== '')
  return (value) =>
    isPlainObject(value) ? Object.entries(value).flatMap((each) => (isDropped(each) ? each[0] : [])) : []
}

/** The cells of what a member names: its values by their paths. */
function cellsIn(path: string, value: unknown): Cell[] {
  if (value === null || value === undefined) return []
  if (Array.isArray(value)) return value.flatMap((each, at) => cellsIn(at === 0 ? path : `${path}[${at}]`, each))
  if (!isPlainObject(value) || isRawNumber(value)) return [[path, textOf(value)]]
  return Object.entries(value).flatMap(([name, inner]) => cellsIn(`${path}.${name}`, inner))
}

function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

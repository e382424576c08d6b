import { ConfigError } from '../../config.ts'
import { describeResource } from '../../console/description.ts'
import type { Resource } from '../../engine/records/define.ts'
import { distinctNames } from '../../files/column-names.ts'
import { type Match, matchColumns } from '../../files/match.ts'
import { missingFields, type Shape } from '../../files/shape.ts'
import { pathsOf, targetOf } from '../../files/target.ts'
import { fold } from '../../lib/text.ts'

/** Matches the columns of a header with paths: by `maps` (`E-mail=emails.email`), otherwise as the matcher does. Throws ConfigError. */
export function mapColumns(
  shape: Shape,
  header: readonly string[],
  format: 'csv' | 'vcard',
  maps: readonly string[],
): Match {
  const match = matchColumns(shape, header, format)
  const mapped = new Map(maps.map((map) => readMap(shape, map, distinctNames(header))))
  for (const [index, path] of othersLike(shape, header, mapped)) mapped.set(index, path)
  const isMapped = (path: string | undefined) => path !== undefined && [...mapped.values()].includes(path)
  const paths = match.paths.map((path, index) => {
    if (mapped.has(index)) return mapped.get(index) || undefined
    return isMapped(path) ? undefined : path
  })
  const [missing] = missingFields(shape, paths)
  if (missing) {
    throw new ConfigError(
      `No column matches ${missing.name}; the first row that can be a header has the columns ${header.join(', ')}: choose one with --map "Column=${missing.name}"`,
    )
  }
  return { ...match, paths, known: new Set([...match.known, ...mapped.keys()]) }
}

/** Whether a row can be the header: it has the required columns, and those that are mapped. */
export function headerTest(shape: Shape, maps: readonly string[]): (cells: readonly string[]) => boolean {
  return (cells) => {
    const names = distinctNames(cells.map((cell) => cell.trim()))
    const has = (name: string) => indexIn(names, name) !== -1
    const mapped = maps.map((map) => [map.slice(0, map.lastIndexOf('=')), map.slice(map.lastIndexOf('=') + 1).trim()])
    if (!mapped.every(([name]) => has(name!))) return false
    const { paths } = matchColumns(shape, cells)
    return missingFields(shape, [...paths, ...mapped.map(([, path]) => path)]).length === 0
  }
}

/** Throws ConfigError if no column or member fills what records are matched by: every row would be created again. */
export function requireMatched(
  resource: Resource,
  matchOn: string | undefined,
  paths: readonly (string | undefined)[],
): void {
  if (matchOn === undefined) return
  const by = describeResource(resource).matchedBy[matchOn] ?? matchOn
  const isFed = paths.some((path) => path === by || path === by.split('.')[0] || path?.match(/^\w+/)?.[0] === by)
  if (isFed) return
  throw new ConfigError(
    `Nothing in the file is imported into ${by}, so that --match-on ${matchOn} would create every row again: choose a column with --map "Column=${by}${resource.collections[by] ? '.…' : ''}"`,
  )
}

/** The column with exactly the name, or else the first one that differs only in case, spaces and hyphens. */
function indexIn(names: readonly string[], name: string): number {
  const exact = names.indexOf(name.trim())
  return exact === -1 ? names.findIndex((each) => normal(each) === normal(name)) : exact
}

/** `Column=path`; a column with an empty path is not imported. `header`: distinct names. */
function readMap(shape: Shape, map: string, header: readonly string[]): [index: number, path: string] {
  const end = map.lastIndexOf('=')
  const index = indexIn(header, map.slice(0, end))
  if (end < 1) throw new ConfigError(`--map takes "Column=path", not "${map}"`)
  if (index === -1)
    throw new ConfigError(`--map: there is no column "${map.slice(0, end)}"; the columns are ${header.join(', ')}`)
  const path = map.slice(end + 1).trim()
  if (path !== '' && !targetOf(shape, path)) {
    const names = [...Object.values(shape.relations), ...Object.keys(shape.links ?? {})]
    const related = names.filter((relation) => targetOf(shape, `${relation}.metadata.key`))
    const byKey = ['metadata.<key>', ...related.map((relation) => `${relation}.metadata.<key>`)]
    const paths = [...pathsOf(shape), ...byKey].join(', ')
    throw new ConfigError(`--map: there is no field "${path}"; the fields are ${paths}`)
  }
  return [index, path]
}

/** The columns of further linked records, which are read as that of the first one is: `contacts[1].id` like `contacts.id`. */
function othersLike(
  { links = {} }: Shape,
  header: readonly string[],
  mapped: ReadonlyMap<number, string>,
): [index: number, path: string][] {
  return header.flatMap((name, index): [number, string][] => {
    const [, link = '', at, part] = /^(\w+)(\[\d+\])\.(\w+)$/.exec(name.trim()) ?? []
    const path = mapped.get(header.indexOf(`${link}.${part}`))
    if (mapped.has(index) || !Object.hasOwn(links, link) || !path?.startsWith(`${link}.`)) return []
    return [[index, `${link}${at}${path.slice(link.length)}`]]
  })
}

function normal(name: string): string {
  return fold(name.trim()).replace(/[\s-]+/g, '_')
}

/** The columns of a file of failed JSON records: every field and collection of the resource. */
export function columnsOf({ fields, collections }: Resource): string[] {
  const names = Object.values(fields).flatMap(({ name, readonly }) => (readonly ? [] : [name]))
  return [...names, ...Object.keys(collections)]
}

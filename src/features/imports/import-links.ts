import { invalid } from '../../engine/records/definition/faults.ts'
import type { Link, Resource } from '../../engine/records/definition/resource.ts'
import { isPlainObject } from '../../engine/records/kinds/fields.ts'
import { type Linked, listLinks, readLinkText, requireFree } from '../../engine/records/links.ts'
import { lookupRow } from '../../engine/records/rows/stored-row.ts'
import type { JsonObject } from '../../engine/records/rows/validate.ts'
import { type DetailCode, validationError } from '../../errors.ts'
import { parseUuid } from '../../lib/uuid.ts'
import type { Writer } from '../../store/reader.ts'

/** The changed links of a record, undefined: a new one, with those that are added and the texts that are given. Throws VALIDATION_ERROR, CONFLICT. */
type AddLinks = (tx: Writer, id: string | undefined) => Record<string, Linked[]>

/** Reads the links of a record of an import: `contacts: [{id, role}]` (decision T2). Throws VALIDATION_ERROR. */
export function readLinks(resource: Resource, body: JsonObject): AddLinks {
  const given = givenLinks(resource, body)
  return (tx, id) =>
    Object.fromEntries(
      given.flatMap((each) => {
        const links = linksWith(tx, id, each)
        return links ? [[each.name, links]] : []
      }),
    )
}

/** The links in a body. Throws VALIDATION_ERROR. */
export function givenLinks(resource: Resource, body: JsonObject): Given[] {
  return Object.entries(resource.links).flatMap(([name, link]) => {
    const value = body[name]
    return value === undefined || value === null ? [] : [{ name, link, links: readEach(name, link, value) }]
  })
}

interface Given {
  name: string
  link: Link
  links: readonly Linked[]
}

function readEach(name: string, link: Link, value: unknown): Linked[] {
  const fault = (text: string, code: DetailCode, path = name) => validationError([invalid(path, text, code)])
  const isList = Array.isArray(value)
  if (!isList || value.length > link.max)
    throw fault(`${name} must be a list of at most ${link.max}`, isList ? 'TOO_LONG' : 'INVALID_TYPE')
  return value.map((item, at) => {
    const { id: given, [link.text]: text = undefined } = isPlainObject(item) ? item : {}
    const id = typeof given === 'string' ? parseUuid(given.trim()) : undefined
    if (id === undefined) {
      const code = typeof given === 'string' ? 'INVALID_FORMAT' : 'INVALID_TYPE'
      throw fault(`${name}[${at}].id must be a UUID`, code, `${name}[${at}].id`)
    }
    return { id, ...(text !== undefined && { [link.text]: readLinkText(text, `${name}[${at}].${link.text}`) }) }
  })
}

/** The links of a record with those given; undefined: it has them. */
function linksWith(tx: Writer, id: string | undefined, { name, link, links }: Given): Linked[] | undefined {
  const former = id === undefined ? [] : listLinks(link, tx, id)
  const merged = new Map(former.map((each) => [each.id, each]))
  for (const [at, each] of links.entries()) {
    if (!lookupRow(link.target, tx, each.id)) {
      throw validationError([invalid(`${name}[${at}].id`, `${link.target.label} not found`, 'NOT_FOUND')])
    }
    if (!merged.has(each.id)) requireFree(link, tx, [...merged.values()])
    merged.set(each.id, { ...(merged.get(each.id) ?? { [link.text]: null }), ...each })
  }
  const after = [...merged.values()]
  return JSON.stringify(after) === JSON.stringify(former) ? undefined : after
}

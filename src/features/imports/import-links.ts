import { invalid } from '../../engine/records/definition/faults.ts'
import type { Link, Resource } from '../../engine/records/definition/resource.ts'
import { isPlainObject } from '../../engine/records/kinds/fields.ts'
import { type Linked, listLinks, readLinkText, requireFree } from '../../engine/records/links.ts'
import { updateRow } from '../../engine/records/rows/rows.ts'
import { lookupRow } from '../../engine/records/rows/stored-row.ts'
import type { JsonObject } from '../../engine/records/rows/validate.ts'
import { validationError } from '../../errors.ts'
import type { Writer } from '../../store/reader.ts'

/** Adds the links of a record to those that it has, and changes the texts that are given. Returns whether anything changed. */
type AddLinks = (tx: Writer, id: string) => boolean

/** Reads the links of a record of an import: `contacts: [{id, role}]` (decision T2). Throws VALIDATION_ERROR. */
export function readLinks(resource: Resource, body: JsonObject): AddLinks {
  const given = givenLinks(resource, body)
  return (tx, id) => given.map((each) => add(resource, tx, id, each)).includes(true)
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
  const fault = (text: string, path = name) => validationError([invalid(path, text)])
  if (!Array.isArray(value) || value.length > link.max) throw fault(`${name} must be a list of at most ${link.max}`)
  return value.map((item, at) => {
    const { id, [link.text]: text = undefined } = isPlainObject(item) ? item : {}
    if (typeof id !== 'string') throw fault(`${name}[${at}].id must be an id`, `${name}[${at}].id`)
    return { id, ...(text !== undefined && { [link.text]: readLinkText(text, `${name}[${at}].${link.text}`) }) }
  })
}

function add(resource: Resource, tx: Writer, id: string, { name, link, links }: Given): boolean {
  const former = listLinks(link, tx, id)
  const merged = new Map(former.map((each) => [each.id, each]))
  for (const [at, each] of links.entries()) {
    if (!lookupRow(link.target, tx, each.id)) {
      const message = `There is no ${link.target.label.toLowerCase()} with this id`
      throw validationError([invalid(`${name}[${at}].id`, message)])
    }
    if (!merged.has(each.id)) requireFree(link, tx, [...merged.values()])
    merged.set(each.id, { ...(merged.get(each.id) ?? { [link.text]: null }), ...each })
  }
  const after = [...merged.values()]
  if (JSON.stringify(after) === JSON.stringify(former)) return false
  const before = lookupRow(resource, tx, id)!
  return updateRow(resource, { tx, id, before, given: {}, after: { ...before }, items: { [name]: after } })
}

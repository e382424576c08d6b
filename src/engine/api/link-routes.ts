import { labelOf } from '../../lib/text.ts'
import type { Writer } from '../../store/reader.ts'
import { refuseParameters } from '../finding/query/parameters.ts'
import type { Row } from '../records/definition/change.ts'
import type { Link, Resource } from '../records/definition/resource.ts'
import { type Linked, listLinks, readLinkText, requireFree } from '../records/links.ts'
import { updateRow } from '../records/rows/rows.ts'
import { lookupRow } from '../records/rows/stored-row.ts'
import { findId, findText, idOf, lookupText, notFound } from '../records/select.ts'
import { type ApiResponse, requireMatch, shownWith } from './call/http-response.ts'
import type { Call, Route } from './call/route.ts'
import { describeLink } from './openapi/describe-links.ts'

interface Run {
  readonly resource: Resource
  readonly name: string
  readonly link: Link
}

/** The endpoints of a record's links, by the id of what they lead to (decision T2). */
export function linkRoutesOf(resource: Resource): Route[] {
  return Object.entries(resource.links).flatMap(([name, link]): Route[] => {
    const path = `/${resource.path}/:id/${name}/:${link.to}`
    const write = { path, scope: resource.scopes.write, bodySize: 'small' } as const
    const run = { resource, name, link }
    return [
      {
        method: 'PUT',
        ...write,
        takesBody: true,
        bodyOptional: true,
        run: (call) => put(run, call),
        describe: (doc) => describeLink(doc, run, 'put'),
      },
      {
        method: 'DELETE',
        ...write,
        takesBody: false,
        run: (call) => remove(run, call),
        describe: (doc) => describeLink(doc, run, 'delete'),
      },
    ]
  })
}

function put(run: Run, call: Call): Promise<ApiResponse> {
  const { link } = run
  refuseParameters(call.query)
  const given = readLinkText(call.body[link.text], link.text, labelOf(link.text))
  return edit(run, call, (tx, links) => {
    const target = findId(link.target, tx, call.params[link.to]!)
    if (links.some(({ id }) => id === target)) {
      return links.map((each) => (each.id === target ? { id: target, [link.text]: given } : each))
    }
    requireFree(link, tx, links)
    return [...links, { id: target, [link.text]: given }]
  })
}

function remove(run: Run, call: Call): Promise<ApiResponse> {
  const { link } = run
  refuseParameters(call.query)
  return edit(run, call, (tx, links) => {
    const target = findId(link.target, tx, call.params[link.to]!) // a deleted one returns when it is restored
    if (!links.some(({ id }) => id === target)) throw notFound(link.target)
    return links.filter(({ id }) => id !== target)
  })
}

/** Changes the links of a record. Without its first one, the reference that names it is empty. Returns the record with its links. */
function edit(
  { resource, name, link }: Run,
  call: Call,
  change: (tx: Writer, links: readonly Linked[]) => readonly Linked[],
): Promise<ApiResponse> {
  return call.write((tx) => {
    const id = idOf(resource, call.params.id!)
    const before = lookupRow(resource, tx, id)
    if (!before) throw notFound(resource)
    const former = listLinks(link, tx, id)
    const links = change(tx, former)
    requireMatch(call.headers.ifMatch, () => lookupText(resource, tx, id)!, resource)
    const after: Row = { ...before }
    if (!links.some((each) => each.id === before[link.first])) after[link.first] = null
    const changed = { tx, id, before, given: {}, after, items: { [name]: links } }
    if (JSON.stringify(links) !== JSON.stringify(former)) updateRow(resource, changed)
    return shownWith(200, findText(resource, tx, id, [name]), lookupText(resource, tx, id)!)
  })
}

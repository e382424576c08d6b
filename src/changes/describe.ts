import { nullable } from '../engine/api/openapi/shapes.ts'
import type { JsonSchema } from '../engine/records/definition/about.ts'
import type { Resource } from '../engine/records/definition/resource.ts'
import type { Describer, Description, Parameter } from '../engine/records/describe.ts'
import { actorTypes } from '../store/change-log.ts'
import { limitDefault, limitMax, typesOf, waitMax } from './feed-query.ts'

export const exampleLog = '8f14e45fceea167a5a36dedd4bea2543'
const exampleSeq = 8
const uuid = { type: 'string', format: 'uuid' } as const
const seq = { type: 'integer', minimum: 1 } as const

export function changesTag(doc: Describer): string {
  return doc.topic('Changes', 'Every change of a record, in order and without gaps: feed, history, trash and undo.')
}

export function describeFeed(doc: Describer, resources: readonly Resource[]): Description {
  const organization = resources.find(({ name }) => name === 'organization')!
  return {
    id: 'listChanges',
    tag: changesTag(doc),
    summary: 'Follow the changes of records',
    details:
      'Oldest first. Continue with the `cursor` of the response as `after`; with `wait`, a request responds as soon as there is a change. Changes of resources that the key may not read are left out.\n\nWith `Accept: text/event-stream`, the response is a stream of server-sent events: `id` is the cursor, `event` the type and `data` the change. It has a comment every 15 seconds, and is closed after 30 minutes, when the client leaves 1 MiB unread, and when its key is revoked. A key can have 5 streams and 50 requests that wait, a company 50 streams.',
    query: feedParameters(resources),
    response: {
      about: 'Some changes, and the position after them.',
      schema: doc.schema('ChangeList', () => feedSchema(doc)),
      events: exampleEvents(exampleCreation(doc, organization)),
    },
    gone: 'The log no longer has the changes after this cursor (`OUT_OF_RANGE`), or the cursor belongs to another log (`INVALID_VALUE`).',
    example: {
      query: { record_id: doc.exampleId('organization'), payload: 'ids' },
      response: {
        data: [exampleHead(doc, organization)],
        ...{ cursor: `${exampleLog}-${exampleSeq}`, has_more: false, latest_seq: exampleSeq, oldest_seq: 1 },
        ...{ log_id: exampleLog, filtered: false },
      },
    },
  }
}

function exampleEvents(change: Readonly<Record<string, unknown>>): string {
  const event = [`id: ${exampleLog}-${exampleSeq}`, `event: ${change.type}`, `data: ${JSON.stringify(change)}`]
  return ['retry: 3000', `id: ${exampleLog}-${exampleSeq - 1}`, '', ...event, '', ''].join('\n')
}

function feedParameters(resources: readonly Resource[]): Parameter[] {
  return [
    {
      name: 'after',
      schema: { type: 'string', default: 'start' },
      about: 'A `cursor`, `start` (the oldest change that the log has) or `now`.',
    },
    { name: 'limit', schema: { type: 'integer', minimum: 1, maximum: limitMax, default: limitDefault } },
    {
      name: 'types',
      schema: { type: 'string' },
      about: `Types of changes, separated by commas: ${resources.map(({ name }) => `\`${name}.*\``).join(', ')}, or ${resources
        .flatMap(typesOf)
        .map((type) => `\`${type}\``)
        .join(', ')}.`,
    },
    { name: 'record_id', schema: uuid },
    { name: 'actor_id', schema: uuid, about: 'The id of the API key, user or import that made the change.' },
    { name: 'request_id', schema: { type: 'string' } },
    {
      name: 'wait',
      schema: { type: 'integer', minimum: 0, maximum: waitMax, default: 0 },
      about: 'How many seconds to wait for a change if there is none. A stream ignores it.',
    },
    {
      name: 'payload',
      schema: { type: 'string', enum: ['full', 'ids'], default: 'full' },
      about: '`ids` leaves out `previous` and `data`.',
    },
  ]
}

function feedSchema(doc: Describer): JsonSchema {
  return doc.object({
    data: { type: 'array', items: changeSchema(doc) },
    cursor: { type: 'string', description: 'The position after these changes: `after` of the next request.' },
    has_more: { type: 'boolean' },
    latest_seq: { type: 'integer', minimum: 0 },
    oldest_seq: seq,
    log_id: { type: 'string', description: 'The name of the log. It changes when a backup is restored.' },
    filtered: { type: 'boolean', description: 'Whether changes may be missing that the key may not see.' },
  })
}

/** decision G3 */
export function changeSchema(doc: Describer): JsonSchema {
  return doc.schema('Change', () => {
    const { required, ...schema } = doc.object({
      seq: { ...seq, description: 'Its number: 1, 2, 3 … in each workspace, without gaps.' },
      id: uuid,
      type: { type: 'string', description: '`deal.updated`: the most specific type.' },
      resource: { type: 'string' },
      record_id: uuid,
      at: { type: 'string', format: 'date-time' },
      actor: { ...nullable(actorSchema(doc)), description: 'Null if the change hides the record from the reader.' },
      request_id: { type: ['string', 'null'] },
      cause: {
        type: ['object', 'null'],
        description:
          'The import, undo or merge that made it, the message that hides or reveals its files, whether it follows a contact (`linked`) or the undo of a merge (`aside`), and the agent that asked for it: `mcp`.',
      },
      changed: { type: 'array', items: { type: 'string' }, description: 'The names of the changed fields.' },
      previous: { type: ['object', 'null'], description: 'Their former values. Null unless it is an update.' },
      data: {
        type: ['object', 'null'],
        description: 'The record after the change, or as it was when it was deleted. Null if it has been erased.',
      },
    }) as { required: string[] }
    return { ...schema, required: required.filter((name) => name !== 'previous' && name !== 'data') }
  })
}

function actorSchema(doc: Describer): JsonSchema {
  return doc.schema('Actor', () =>
    doc.object({
      type: { type: 'string', enum: actorTypes },
      id: { type: ['string', 'null'], format: 'uuid', description: 'Of the API key, the user, or the bulk job.' },
      name: { type: 'string' },
    }),
  )
}

/** The creation of an example record. */
export function exampleCreation(doc: Describer, resource: Resource): Readonly<Record<string, unknown>> {
  const related = new Set(Object.keys(resource.relations))
  const data = Object.entries(doc.exampleRecord(resource)).filter(([name]) => !related.has(name))
  const record = Object.fromEntries(data)
  const links = Object.entries(resource.links).map(([name, { first, text }]) => [
    name,
    [{ id: record[first], [text]: null }],
  ])
  return { ...exampleHead(doc, resource), previous: null, data: { ...record, ...Object.fromEntries(links) } }
}

function exampleHead(doc: Describer, { name, operations }: Resource): Readonly<Record<string, unknown>> {
  const author =
    operations.includes('create') || operations.includes('patch')
      ? { actor: exampleActor(doc), request_id: doc.exampleId(`request ${name}`) }
      : { actor: { type: 'system', id: null, name: 'Kontor' }, request_id: null }
  return {
    ...{ seq: exampleSeq, id: doc.exampleId('change'), type: `${name}.created`, resource: name },
    ...{ record_id: doc.exampleId(name), at: doc.madeAt, ...author, cause: null, changed: [] },
  }
}

/** The API key that sends the example requests. */
export function exampleActor(doc: Describer): Readonly<Record<string, unknown>> {
  return { type: 'api_key', id: doc.exampleId('sender'), name: 'Administration' }
}

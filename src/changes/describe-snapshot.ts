import { linesType } from '../engine/api/call/http-response.ts'
import type { Resource } from '../engine/records/definition/resource.ts'
import type { Describer, Description } from '../engine/records/describe.ts'
import { changesTag, exampleLog } from './describe.ts'

export function describeSnapshot(doc: Describer, resources: readonly Resource[]): Description {
  return {
    id: 'getSnapshot',
    tag: changesTag(doc),
    summary: 'Read every record of one moment',
    details:
      'Lines of JSON: first `{log_id, seq, cursor}`, then one line `{resource, data}` per record, and last `{end: true, count}`. A response without the last line is incomplete. Continue with `cursor` at `/api-v1-changes`: that neither misses nor repeats a change. A company reads one snapshot at a time, for up to five minutes.',
    query: [
      {
        name: 'types',
        schema: { type: 'string' },
        about: `Resources, separated by commas: ${resources.map(({ name }) => `\`${name}\``).join(', ')}. Default: all that the key may read. Users and keys require \`admin:all\`.`,
      },
    ],
    response: {
      about: 'The records, one per line.',
      schema: { type: 'string' },
      mediaType: linesType,
    },
    example: {
      query: { types: 'organization' },
      response: linesOf([
        { log_id: exampleLog, seq: 8, cursor: `${exampleLog}-8` },
        { resource: 'organization', data: doc.exampleRecord(resources.find(({ name }) => name === 'organization')!) },
        { end: true, count: 1 },
      ]),
    },
  }
}

function linesOf(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('')
}

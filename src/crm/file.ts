import * as v from 'valibot'
import { resource } from '../engine/records/define.ts'
import type { Change, Row } from '../engine/records/definition/change.ts'
import { rule } from '../engine/records/definition/faults.ts'
import type { Kind } from '../engine/records/definition/resource.ts'
import { byService, chosen, metadata, reference, required } from '../engine/records/kinds/fields.ts'
import { caselessText, pattern, text } from '../engine/records/kinds/text-kinds.ts'
import { position } from '../engine/records/kinds/value-kinds.ts'
import { type Detail, validationError } from '../errors.ts'
import { contact } from './contact.ts'
import { deal } from './deal.ts'
import { message } from './message.ts'
import { organization } from './organization.ts'
import { task } from './task.ts'

const nameBytesMax = 255
/** Path separators, control characters, and characters that reverse the direction of text, which can hide the end of a name. */
const unusable = /[/\\\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

/** The content of the example record. */
export const exampleContent = 'Twenty hampers.'

const digests = [
  'a387dad62ad8681b8ca9b59837dcfd830f60ad5965d903c61da210f21d8feaa2',
  '60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752',
]

/** The records that a file can refer to. */
export const fileReferences = ['organization_id', 'contact_id', 'deal_id', 'task_id'] as const

/** A file that belongs to records (decision O1). It is created by an upload; its content never changes. */
export const file = resource('file', {
  path: 'api-v1-files',
  scope: 'files',
  operations: ['list', 'get', 'patch', 'delete'],
  fields: {
    name: required(fileName(), 'Name is required'),
    media_type: byService(chosen(caselessText())),
    bytes: byService(chosen({ ...position(), cleared: 0 })),
    sha256: byService(chosen(pattern(/^[0-9a-f]{64}$/, 'a SHA-256', { examples: digests }))),
    organization_id: reference(organization),
    contact_id: reference(contact),
    deal_id: reference(deal),
    task_id: reference(task),
    message_id: byService({ ...reference(message), isLoose: true }),
    metadata: metadata(),
  },
  offers: { fields: false, imports: false, agents: 'read' },
  contentBytes: 'bytes',
  filters: [
    'name',
    'media_type',
    'bytes',
    'organization_id',
    'contact_id',
    'deal_id',
    'task_id',
    'message_id',
    'created_at',
    'updated_at',
  ],
  sorts: ['name', 'bytes', 'created_at', 'updated_at'],
  pageSize: { default: 50, max: 100 },
  summary: ['id', 'name', 'media_type', 'bytes'],
  search: { fields: ['name'], names: ['name'], subtitle: ['media_type'] },
  partOf: 'message_id',
  shownAs: 'files',
  followsAside: true,
  visibleBy: ['message_id'],
  beforeWrite: requireReference,
  about: {
    summary: 'A file that belongs to an organization, a contact, a deal or a task.',
    fields: {
      name: 'At most 255 bytes, without path separators, control characters and marks of the direction of text.',
      media_type: 'The type with which it was uploaded, in lower case and without parameters.',
      bytes: 'The length of the content.',
      sha256: 'The SHA-256 of the content, in hexadecimal digits.',
      message_id: 'The message that it was attached to. Who sees the message sees the file.',
    },
    example: { name: 'offer.txt' },
    shown: { media_type: 'text/plain', bytes: exampleContent.length, sha256: digests[0]! },
    patch: { name: 'offer-2.txt' },
  },
})

/** Throws VALIDATION_ERROR if a file would belong to nothing (decision O1). */
function requireReference({ after }: Change): void {
  const details = missingReference(after)
  if (details.length > 0) throw validationError(details)
}

/** A detail if the values of a file refer to no record. */
export function missingReference(values: Row): Detail[] {
  if ([...fileReferences, 'message_id'].some((name) => (values[name] ?? null) !== null)) return []
  const message = `A file belongs to something: give at least one of ${fileReferences.join(', ')}`
  return [{ field: fileReferences[0], message, code: 'REQUIRED' }]
}

function fileName(): Kind {
  const kind = text({ max: nameBytesMax })
  const tooLong = (label: string) => `${label} must be at most ${nameBytesMax} bytes`
  const allowed = 'must not contain path separators, control characters and marks of the direction of text'
  return {
    ...kind,
    schema: (label) =>
      v.pipe(
        v.unknown(),
        rule('INVALID_FORMAT', (value) => !unusable.test(String(value).trim()), `${label} ${allowed}`),
        rule('INVALID_VALUE', (value) => !/^\s*\.{1,2}\s*$/.test(String(value)), `${label} must not be . or ..`),
        rule('TOO_LONG', (value) => Buffer.byteLength(String(value)) <= nameBytesMax, tooLong(label)),
        kind.schema(label),
      ),
    input: { type: 'string', maxLength: nameBytesMax, pattern: '^[^/\\\\\\x00-\\x1f]*$' },
  }
}

import { typesOf } from '../../changes/feed-query.ts'
import { records } from '../../crm/records.ts'
import { resource } from '../../engine/records/define.ts'
import type { Change } from '../../engine/records/definition/change.ts'
import { byService, metadata, required, unlogged } from '../../engine/records/kinds/fields.ts'
import { choice, choices, pattern, text } from '../../engine/records/kinds/text-kinds.ts'
import { flag, timestamp } from '../../engine/records/kinds/value-kinds.ts'
import type { Writer } from '../../store/reader.ts'
import { field } from '../declared-fields/field.ts'
import { bulkJob } from '../imports/job.ts'
import { removeState } from './stored/removal.ts'
import { eraseResponses } from './stored/responses.ts'
import { secretPattern } from './stored/secrets.ts'
import { insertState, setFailures } from './stored/webhook-state.ts'

const descriptionMax = 1_000
const urlMax = 2_048
/** What the guard of destinations decides about (decision H6). */
const urlForm = /^(?:kontor:inbox|[Hh][Tt][Tt][Pp][Ss]?:\/\/[^\s\\/?#\x00-\x1f\x7f][^\s\\\x00-\x1f\x7f]*)$/

/** Announced to listeners (`Store.listen`) when what a webhook has to deliver may have changed. */
export const webhooksChanged = 'webhooks changed'

/** Announced when a webhook has been erased, and what it has sent has not been removed completely. */
export const webhookErased = 'webhook erased'

const eventful = [...records.filter(({ offers }) => offers.events), field, bulkJob]

/** The types of changes that a webhook can deliver. */
export const eventTypes: readonly string[] = eventful.flatMap(typesOf)

/** A reader of the log of changes that sends each one to a URL (decision H1). */
export const webhook = resource('webhook', {
  path: 'api-v1-webhooks',
  scope: { read: 'read:all', write: 'write:all' },
  counted: false,
  changesReadBy: () => ['admin:all'],
  fields: {
    url: required(
      pattern(urlForm, 'an http or https URL without spaces', {
        untrimmed: true,
        max: urlMax,
        examples: ['https://example.com/kontor', 'https://hooks.example.org/crm?source=kontor'],
      }),
      'Url is required',
    ),
    events: required(choices(['*', ...eventful.map(({ name }) => `${name}.*`), ...eventTypes]), 'Events are required'),
    description: text({ max: descriptionMax }),
    payload: choice(['full', 'thin'], { default: 'full' }),
    ordered: flag(),
    is_active: flag({ default: true }),
    failing_since: unlogged(timestamp()),
    disabled_at: byService(timestamp()),
    disabled_reason: byService(text()),
    last_success_at: unlogged(timestamp()),
    metadata: metadata(),
  },
  filters: ['is_active', 'created_at', 'updated_at'],
  sorts: ['created_at', 'updated_at'],
  pageSize: { default: 50, max: 100 },
  beforeWrite,
  beforeRemove: ({ tx }) => tx.announce(webhooksChanged),
  beforeRestore: ({ tx }) => tx.announce(webhooksChanged),
  beforeErase: (tx, id) => removeState(tx, id) && tx.announce(webhookErased),
  afterInsert: (tx, id) => ({ secret: insertState(tx, id) }),
  max: 20,
  same: ['url', 'events'],
  about: {
    summary: 'A URL to which the changes of records are sent, signed by the Standard Webhooks scheme.',
    fields: {
      url: 'https, or what the operator allows. Redirects are not followed.',
      events: 'Types of changes: `deal.won`, `deal.*` for all of a resource, `*` for all.',
      payload: '`thin` leaves out `data` and `previous`. Bodies above 256 KiB are always sent like this.',
      ordered: 'Whether each delivery waits until the one before has succeeded, or has failed for the last time.',
      is_active: 'An inactive webhook keeps its position. Once it is active again, it continues there.',
      failing_since: 'The first failed attempt since the last successful one.',
      disabled_at: 'The time at which the server has made it inactive.',
      disabled_reason: 'Why the server has made it inactive.',
    },
    example: {
      url: 'https://example.com/kontor',
      events: ['contact.*', 'deal.won'],
      description: 'Invoices',
      payload: 'full',
    },
    patch: { events: ['deal.*'] },
    once: {
      secret: {
        schema: {
          type: 'string',
          pattern: secretPattern.source,
          description: 'Verifies signatures. It is shown only once.',
        },
        example: 'whsec_RVhBTVBMRWV4YW1wbGVFWEFNUExFZXhhbXBsZUVYQU0=',
      },
    },
  },
})

/** A record is erased, or something in it: nothing of that is sent any more, and what its receivers have responded is erased, too (decision G11). */
export function forgetSent(tx: Writer, recordId: string): void {
  eraseResponses(tx, recordId)
  tx.announce(webhooksChanged)
}

/** A webhook that is activated again, or that has another URL, is no longer failing or disabled. */
function beforeWrite({ tx, id, before, after }: Change): void {
  tx.announce(webhooksChanged)
  if (!before || after.is_active !== 1 || (before.is_active === 1 && before.url === after.url)) return
  Object.assign(after, { failing_since: null, disabled_at: null, disabled_reason: null })
  setFailures(tx, id, 0)
}

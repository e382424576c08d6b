import { message } from '../../crm/message.ts'
import type { Describer, Description } from '../../engine/records/describe.ts'
import { mailAddress } from './mail-address.ts'

const example =
  'From: Grace Hopper <grace@example.com>\r\nSubject: Christmas hampers\r\n\r\nWe would like 200 hampers.\r\n'

export function describeReceive(doc: Describer): Description {
  const id = doc.object({ id: { type: ['string', 'null'], format: 'uuid' } })
  const seen = { anyOf: [doc.record(message), id] }
  return {
    id: 'receiveMessage',
    tag: doc.tag(message),
    summary: 'Deliver a message',
    details:
      'The body is the raw message, `Content-Type: message/rfc822`, at most 40 MiB. `Kontor-Outcome` says what became of it: `stored`, `unmatched`, `held`, `duplicate` or `internal`. Without `read:messages`, `data` is `{id}`; of a message that the key may not see, `id` is null.',
    query: [
      {
        name: 'address',
        schema: { type: 'string' },
        about: 'The mail address at which it arrives, of the workspace of the key.',
        required: true,
      },
    ],
    file: example,
    response: { ...doc.shown(message, 'The new message.'), schema: doc.envelope('ReceivedMessage', seen), status: 201 },
    tellsOutcome: true,
    existing: {
      about: 'It is there already, or is not stored: `data` is null.',
      schema: doc.envelope('KnownMessage', { anyOf: [...seen.anyOf, { type: 'null' }] }),
    },
    errors: {
      FEATURE_NOT_ENABLED: 'The server takes no mail.',
      PLAN_LIMIT_EXCEEDED: 'The plan allows no more bytes (`max_storage_bytes`).',
      INVALID_REQUEST: 'The body is empty, or no message that can be read.',
      NOT_FOUND: 'The workspace has no such address.',
    },
    example: {
      query: { address: String(doc.exampleRecord(mailAddress).address) },
      response: { data: doc.exampleRecord(message) },
    },
  }
}

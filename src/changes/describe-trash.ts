import { pascal } from '../engine/api/openapi/names.ts'
import type { Resource } from '../engine/records/definition/resource.ts'
import type { Describer, Description } from '../engine/records/describe.ts'
import { changesTag, exampleActor } from './describe.ts'

export function describeTrash(doc: Describer, trash: Resource): Description {
  const list = doc.operation(trash, 'list')
  const deletion = { deleted_at: doc.madeAt, deleted_by: exampleActor(doc) }
  const { example } = list as { example: { response: object } }
  const data = [{ id: doc.exampleId('organization'), ...trash.about.example, ...deletion }]
  return {
    ...list,
    example: { query: { type: 'organization' }, response: { ...example.response, data } },
    id: 'listDeletedRecords',
    tag: changesTag(doc),
    summary: 'List deleted records',
    details: 'Newest first. Records of resources that the key may not read are left out.',
  }
}

export function describeRestore(doc: Describer, trash: Resource, restorable: readonly Resource[]): Description {
  const record = { anyOf: restorable.map((resource) => doc.record(resource)) }
  return {
    id: 'restoreDeletedRecord',
    tag: changesTag(doc),
    summary: 'Restore a deleted record',
    details:
      'A restored stage is the last one. A restored contact is primary only if its organization has no other. References to deleted records stay, and show null until these are restored. A webhook also requires `read:all`.',
    scopes: [...new Set(restorable.map(({ scopes }) => scopes.write))],
    response: {
      about: 'The restored record.',
      schema: doc.envelope(`Restored${pascal(trash.name)}`, record),
      tagged: true,
    },
    errors: {
      FEATURE_NOT_ENABLED: 'It is a webhook, and the plan does not include webhooks.',
      CONFLICT: 'Something is in the way: a stage with the same name, the plan’s limit, a deal’s deleted stage.',
      ALREADY_EXISTS:
        'Another record has the same value of a declared field that is unique. Its id is in the message for a key that may read it.',
    },
    example: {
      params: { id: doc.exampleId('organization') },
      response: { data: doc.exampleRecord(restorable.find(({ name }) => name === 'organization')!, {}, true) },
    },
  }
}

export function describeErase(doc: Describer, trash: Resource): Description {
  return {
    ...doc.operation(trash, 'delete'),
    example: { params: { id: doc.exampleId('organization') }, response: { data: { deleted: true } } },
    id: 'eraseDeletedRecord',
    tag: changesTag(doc),
    summary: 'Erase a deleted record permanently',
    details:
      'Overwrites the record, its items, its values in the log, and stored responses to requests with an `Idempotency-Key`. The numbers of its changes stay. Backups are not changed.',
    conditional: false,
  }
}

import type { Describer, Description } from '../../engine/records/describe.ts'
import { proposal } from './proposal.ts'

const decided = 'The proposal has already been applied or rejected.'
const keysRefused = 'The request has a key.'

export function describeApply(doc: Describer): Description {
  return {
    id: 'applyProposal',
    tag: doc.tag(proposal),
    summary: 'Apply a proposal',
    details: 'The user is the author of the changes, and their `cause` names the proposal.',
    body: doc.schema('ProposalApplication', () => ({
      type: 'object',
      properties: {
        force: {
          type: 'boolean',
          description: 'Apply it although the records have changed since. Default: false.',
        },
        fields: {
          type: 'array',
          items: { type: 'string' },
          minItems: 1,
          description: 'Of a proposal to save a record: only these fields.',
        },
      },
      additionalProperties: false,
    })),
    response: {
      about: 'The proposal, and what undoes it.',
      schema: doc.schema('AppliedProposal', () =>
        doc.object({
          data: doc.record(proposal),
          undo: doc.schema('UndoHandle', () => doc.object({ request_id: { type: 'string' } })),
        }),
      ),
    },
    errors: { INSUFFICIENT_PERMISSIONS: keysRefused, CONFLICT: `${decided} Or what would change has changed since.` },
    example: { params: { id: doc.exampleId('proposal') }, body: { fields: ['job_title'] }, response: example(doc) },
  }
}

export function describeReject(doc: Describer): Description {
  return {
    id: 'rejectProposal',
    tag: doc.tag(proposal),
    summary: 'Reject a proposal',
    response: { about: 'The proposal.', schema: doc.envelope('RejectedProposal', doc.record(proposal)) },
    errors: { INSUFFICIENT_PERMISSIONS: keysRefused, CONFLICT: decided },
    example: {
      params: { id: doc.exampleId('proposal') },
      response: { data: { ...example(doc).data, status: 'rejected', request_id: null } },
    },
  }
}

function example(doc: Describer) {
  const decision = { status: 'applied', decided_by: doc.exampleId('user'), decided_at: doc.changedAt }
  const data = doc.exampleRecord(proposal, { ...decision, request_id: doc.exampleId('request'), changes: [] }, true)
  return { data: data as Record<string, unknown>, undo: { request_id: doc.exampleId('request') } }
}

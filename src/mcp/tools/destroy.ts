import type { Agent } from '../protocol/agent.ts'
import type { Arguments, Properties } from './arguments.ts'
import { type ChangeRequest, change, writing } from './change.ts'
import { askUser, readConfirmation, requireAsShown, useOnce } from './confirmation.ts'
import { pathOf } from './lists.ts'
import type { Answered, Outcome, Tool } from './tool.ts'
import { id, mergeTypes, record, typeNamed, typesWith, withType, writeTypes, written } from './tool.ts'

const confirming: Properties = {
  confirm_token: { type: 'string', description: 'From the first call, once the user has agreed' },
}
const output = {
  ...record,
  ...written,
  confirm_token: { type: 'string' },
  expires_in: { type: 'integer', description: 'Seconds' },
}

export const deleteRecord: Tool = {
  name: 'delete_record',
  title: 'Delete a record',
  description: 'Move a record to the trash. The user has to confirm. undo restores it.',
  kind: 'destroy',
  isIdempotent: true,
  input: (agent) => withType(typesWith('write', writeTypes, agent), { id, ...confirming, ...writing }),
  output,
  run: (agent, given, answered) =>
    confirmed(agent, given, answered, {
      tool: 'delete_record',
      method: 'DELETE',
      target: pathOf(typeNamed(given.type), given.id),
    }),
}

export const mergeRecords: Tool = {
  name: 'merge_records',
  title: 'Merge duplicates',
  description:
    'Merge duplicates into the record that survives. It fills its empty fields and gets their deals, tasks and activities. The user has to confirm. undo takes it back.',
  kind: 'destroy',
  input: (agent) =>
    withType(typesWith('write', mergeTypes, agent), {
      id: { ...id, description: 'UUID of the survivor' },
      with: { type: 'array', description: 'UUIDs of the others', required: true },
      prefer: { type: 'string', enum: ['this', 'newest'], description: 'Whose values win; default this' },
      fields: { type: 'object', description: 'Values that the survivor gets in any case' },
      ...confirming,
      ...writing,
    }),
  output: { ...output, merged: {}, moved: { type: 'object' } },
  run(agent, given, answered) {
    const { type, id, dry_run, operation_id, confirm_token, ...body } = given
    const target = `${pathOf(typeNamed(type), id)}/merge`
    return confirmed(agent, given, answered, { tool: 'merge_records', method: 'POST', target, body })
  },
}

/** Makes a change that the user has confirmed. A trial needs no confirmation, and a proposal is decided by a person anyway. */
async function confirmed(agent: Agent, given: Arguments, answered: Answered, request: ChangeRequest): Promise<Outcome> {
  if (given.dry_run === true || agent.mode === 'propose') return change(agent, given, request)
  const confirmation = readConfirmation(agent, request.tool, given, answered)
  if (!confirmation) return askUser(agent, given, request)
  return change(agent, given, {
    ...request,
    before: (tx) => useOnce(tx, agent, confirmation),
    after: (tx, latest) => requireAsShown(tx, latest, confirmation),
  })
}

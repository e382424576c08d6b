import { activity } from '../../crm/activity.ts'
import { task } from '../../crm/task.ts'
import { invalid } from '../../engine/records/definition/faults.ts'
import type { Resource } from '../../engine/records/definition/resource.ts'
import { settable, unsettable } from '../../engine/records/rows/settable.ts'
import { findText, idOf } from '../../engine/records/select.ts'
import { ApiError, validationError } from '../../errors.ts'
import { SeveralSteps } from '../../http/long-request.ts'
import { parseExact } from '../../lib/exact-json.ts'
import { parseSpan } from '../../lib/moment.ts'
import type { Writer } from '../../store/reader.ts'
import type { Agent, JsonBody } from '../protocol/agent.ts'
import type { Arguments } from './arguments.ts'
import { type ChangeRequest, change, writing } from './change.ts'
import { pathOf } from './lists.ts'
import { id, ifAny, record, type Tool, typeNamed, typesWith, withType, writeTypes, written } from './tool.ts'

const output = { ...record, ...written }

export const saveRecord: Tool = {
  name: 'save_record',
  title: 'Create or change a record',
  description:
    'With id: change these values of a record and keep the others. Without id: create a record. With match_on, such as email: change the record that has the same value, or create one.',
  kind: 'write',
  input: (agent) =>
    withType(typesWith('write', writeTypes, agent), {
      id: { type: 'string', description: 'UUID' },
      values: {
        type: 'object',
        description: 'By field. null empties a field. With id, metadata is replaced as a whole.',
        required: true,
      },
      match_on: { type: 'string' },
      if_unchanged_since: {
        type: 'string',
        description: 'updated_at that you have read: refused if it changed since',
      },
      ...writing,
    }),
  output,
  run: async (agent, given) => change(agent, given, savingOf(given)),
}

function savingOf({ type, id, values, match_on, if_unchanged_since: since }: Arguments): ChangeRequest {
  const resource = typeNamed(type)
  const [tool, body, path] = ['save_record', values as JsonBody, `/${resource.path}`]
  if (id !== undefined && match_on !== undefined)
    throw validationError([invalid('match_on', 'Give id or match_on, not both')])
  if (id === undefined && since !== undefined) throw validationError([invalid('if_unchanged_since', 'It needs id')])
  const read = since === undefined ? undefined : parseSpan(String(since))
  if (since !== undefined && !read)
    throw validationError([invalid('if_unchanged_since', 'if_unchanged_since must be a timestamp', 'INVALID_FORMAT')])
  requireSettable(resource, body, id === undefined)
  if (match_on !== undefined) {
    return { tool, method: 'PUT', target: `${path}?${new URLSearchParams({ match_on: String(match_on) })}`, body }
  }
  if (id === undefined) return { tool, method: 'POST', target: path, body }
  const before = read && ((tx: Writer) => requireUnchanged(resource, tx, String(id), read.start))
  return { tool, method: 'PATCH', target: pathOf(resource, id), body, before }
}

/** The API ignores unknown fields of a body; an agent would believe that they are stored. Throws VALIDATION_ERROR. */
function requireSettable({ fields, collections }: Resource, values: JsonBody, isNew: boolean): void {
  const unknown = unsettable(values, Object.keys({ ...settable(fields, isNew), ...(isNew && collections) }))
  if (unknown.length > 0) throw validationError(unknown)
}

/** `since`: the start of a moment in milliseconds. Throws NOT_FOUND, CONFLICT. */
function requireUnchanged(resource: Resource, tx: Writer, id: string, since: number): void {
  const { updated_at } = JSON.parse(findText(resource, tx, idOf(resource, id)))
  if (Date.parse(updated_at) === since) return
  throw new ApiError('CONFLICT', `The record has changed since: it was updated at ${updated_at}`, { status: 412 })
}

export const logActivity: Tool = {
  name: 'log_activity',
  title: 'Log an activity',
  description:
    'Add a call, email, meeting, note or rating to the log of a contact, organization or deal. Entries are never changed, deleted or undone.',
  kind: 'write',
  isAdditive: true,
  input: (agent) =>
    ifAny(typesWith('write', [activity], agent), {
      type: { type: 'string', enum: activity.fields.type!.options!, required: true },
      subject: { type: 'string' },
      description: { type: 'string' },
      contact_id: { type: 'string' },
      organization_id: { type: 'string' },
      deal_id: { type: 'string' },
      metadata: { type: 'object' },
      ...writing,
    }),
  output,
  run(agent, given) {
    const { dry_run, operation_id, ...body } = given
    return change(agent, given, { tool: 'log_activity', method: 'POST', target: `/${activity.path}`, body })
  },
}

export const completeTask: Tool = {
  name: 'complete_task',
  title: 'Complete a task',
  description: 'Set the status of a task to completed.',
  kind: 'write',
  isAdditive: true,
  isIdempotent: true,
  input: (agent) => ifAny(typesWith('write', [task], agent), { id, ...writing }),
  output,
  run: (agent, given) =>
    change(agent, given, { tool: 'complete_task', method: 'PATCH', target: `${pathOf(task, given.id)}/complete` }),
}

export const undo: Tool = {
  name: 'undo',
  title: 'Undo a change',
  description:
    'Take back all changes of a request (request_id), or one change of the log (seq). Fields that were changed again since keep their values unless force.',
  kind: 'write',
  notFound: 'Find request_id and seq with list_changes. What has changed nothing cannot be undone.',
  input: (agent) =>
    ifAny(typesWith('write', [...writeTypes, activity], agent), {
      request_id: { type: 'string', description: 'undo.request_id of a result, or that of a change' },
      seq: { type: 'integer', minimum: 1 },
      force: { type: 'boolean' },
      ...writing,
    }),
  output,
  run(agent, given) {
    const { dry_run, operation_id, ...body } = given
    if (!('request_id' in given) === !('seq' in given))
      throw validationError([invalid('request_id', 'Give either request_id or seq')])
    return undoChanges(agent, given, { tool: 'undo', method: 'POST', target: '/api-v1-undo', body })
  },
}

/** A trial of what takes several transactions is the prediction of the API. */
async function undoChanges(agent: Agent, given: Arguments, request: ChangeRequest): Promise<JsonBody> {
  try {
    return await change(agent, given, request)
  } catch (error) {
    if (!(error instanceof SeveralSteps) || given.dry_run !== true) throw error
    const { method, target, body } = request
    const response = await agent.perform({ method, target, body: { ...body, dry_run: true } })
    return { ...(parseExact(response.body) as JsonBody), dry_run: true }
  }
}

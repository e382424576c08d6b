import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import { insertStored, lookupStored } from '../../access/idempotency.ts'
import { ofMessagesIn } from '../../changes/may-see.ts'
import { selectHeads } from '../../changes/stored-change.ts'
import { invalid } from '../../engine/records/definition/faults.ts'
import { isPlainObject } from '../../engine/records/kinds/fields.ts'
import { ApiError, validationError } from '../../errors.ts'
import type { RecordChange } from '../../features/proposals/changes.ts'
import type { Reader, Writer } from '../../store/reader.ts'
import type { Agent } from '../protocol/agent.ts'
import type { Arguments } from './arguments.ts'
import { type ChangeRequest, tryOut } from './change.ts'
import type { Answered, Outcome } from './tool.ts'

const validSeconds = 600
const tokenForm = /^(\d{13})\.([\w-]{22})\.([\w-]{43})\.([\w-]{43})$/
const answerName = 'confirm'

/** A confirmation of a call, which may have expired or been used. */
interface Confirmation {
  /** Differs for each request, key, tool and arguments. */
  mac: string
  expiresAtMs: number
  /** A hash of the records as they were when the user was asked (`stateBefore`). */
  state: string
}

/** Asks the user through the client, or gives the agent a token to pass once the user has agreed. Shows what would change. */
export async function askUser(agent: Agent, given: Arguments, request: ChangeRequest): Promise<Outcome> {
  let state = ''
  const after: ChangeRequest['after'] = (tx, latest) => {
    state = stateBefore(tx, latest)
  }
  const { changes, changes_total } = await tryOut(agent, { ...request, after })
  const token = tokenFor(agent, request.tool, given, { expiresAtMs: agent.now() + validSeconds * 1000, state })
  const question = questionOf(request, changes as RecordChange[], Number(changes_total))
  if (!agent.canElicit) {
    const note = `Nothing has changed yet. ${question} Ask the user. If they agree, call again with confirm_token and the same arguments.`
    return { confirm_token: token, expires_in: validSeconds, changes, changes_total, note }
  }
  const schema = { type: 'object', properties: { confirm: { type: 'boolean', title: 'Yes' } }, required: ['confirm'] }
  const params = { mode: 'form', message: question, requestedSchema: schema }
  const inputRequests = { [answerName]: { method: 'elicitation/create', params } }
  return { resultType: 'input_required', inputRequests, requestState: token }
}

function questionOf({ tool }: ChangeRequest, changes: readonly RecordChange[], total: number): string {
  const names = changes.slice(0, 5).map(({ type, title, record_id }) => `${type.split('.')[0]} ${title || record_id}`)
  const more = total > names.length ? ` and ${total - names.length} more` : ''
  const verb = tool === 'merge_records' ? 'Merge' : 'Delete'
  return `${verb} ${names.join(', ')}${more}? It can be undone.`
}

/** The confirmation of a call; undefined: it has none yet. Throws VALIDATION_ERROR (the token), CONFLICT (the user said no). */
export function readConfirmation(
  agent: Agent,
  tool: string,
  given: Arguments,
  { requestState, inputResponses }: Answered,
): Confirmation | undefined {
  if (given.confirm_token !== undefined) return openToken(agent, tool, given, given.confirm_token)
  if (requestState === undefined) return undefined
  const confirmation = openToken(agent, tool, given, requestState)
  const answer = isPlainObject(inputResponses) ? inputResponses[answerName] : undefined
  if (!isPlainObject(answer)) return undefined
  const content = isPlainObject(answer.content) ? answer.content : {}
  if (answer.action === 'accept' && content.confirm === true) return confirmation
  throw new ApiError('CONFLICT', 'The user has not agreed: nothing has changed')
}

/** Throws VALIDATION_ERROR if the confirmation has expired, CONFLICT if it has been used. */
export function useOnce(tx: Writer, { credential }: Agent, { mac, expiresAtMs }: Confirmation): void {
  if (Date.parse(tx.now) >= expiresAtMs) {
    throw refused('The confirmation has expired: call without it, and ask the user again')
  }
  const name = { by: 'api_key', id: credential.keyId, idempotencyKey: `mcp confirmation ${mac}` } as const
  if (lookupStored(tx, name, '')) throw new ApiError('CONFLICT', 'This confirmation has been used: ask the user again')
  insertStored(tx, name, { request: '', response: '' })
}

/** Throws CONFLICT if a record that the confirmed request has changed is not as it was when the user was asked. */
export function requireAsShown(tx: Writer, latest: number, { state }: Confirmation): void {
  if (stateBefore(tx, latest) === state) return
  throw new ApiError('CONFLICT', 'A record has changed since the user was asked: call again without confirm_token')
}

/** A hash of the records that have changed after a number of the log, as they were then: each with the number of its newest change until then. */
function stateBefore(reader: Reader, latest: number): string {
  const sql = `SELECT group_concat(hex(record_id) || ' ' || ifnull(former, ''), char(10) ORDER BY record_id, seq) FROM (
    SELECT seq, record_id, (SELECT max(seq) FROM change AS earlier INDEXED BY change_record_id
        WHERE workspace_id = :workspace AND record_id = change.record_id AND seq <= ?) AS former
      FROM change INDEXED BY sqlite_autoindex_change_1 WHERE workspace_id = :workspace AND seq > ?
        AND seq NOT IN (SELECT value FROM json_each(?)))`
  const unshown = JSON.stringify(ofMessagesAfter(reader, latest))
  return hash('sha256', reader.value<string>(sql, latest, latest, unshown) ?? '', 'base64url')
}

/** The numbers of the changes of messages and of their files, which follow without being shown (decision P7). */
function ofMessagesAfter(reader: Reader, latest: number): number[] {
  const types = `SELECT id FROM change_term WHERE text LIKE 'message.%' OR text LIKE 'file.%'`
  const changes = selectHeads(reader, 'seq', `AND seq > ? AND change.type IN (${types})`, latest)
  const isOfMessage = ofMessagesIn(reader, changes)
  return changes.filter(isOfMessage).map(({ seq }) => seq)
}

/** The nonce follows from the request, so that a sandbox has the same tokens each time. */
function tokenFor(
  agent: Agent,
  tool: string,
  given: Arguments,
  { expiresAtMs, state }: Omit<Confirmation, 'mac'>,
): string {
  const text = `${expiresAtMs}.${hash('sha256', agent.requestId, 'base64url').slice(0, 22)}.${state}`
  return `${text}.${seal(agent, tool, given, text)}`
}

function openToken(agent: Agent, tool: string, given: Arguments, token: unknown): Confirmation {
  const [, expiresAtMs = '', nonce = '', state = '', mac = ''] =
    (typeof token === 'string' && tokenForm.exec(token)) || []
  const expected = seal(agent, tool, given, `${expiresAtMs}.${nonce}.${state}`)
  if (mac.length === expected.length && timingSafeEqual(Buffer.from(mac), Buffer.from(expected))) {
    return { mac, expiresAtMs: Number(expiresAtMs), state }
  }
  throw refused('The confirmation does not belong to this call: use the same arguments, or call without it')
}

function refused(message: string): ApiError {
  return validationError([invalid('confirm_token', message)])
}

/** Binds a token to the key, the tool and the arguments. */
function seal({ secret, credential }: Agent, tool: string, given: Arguments, text: string): string {
  const { confirm_token, operation_id, dry_run, ...bound } = given
  const sorted = JSON.stringify(Object.entries(bound).sort(([a], [b]) => (a < b ? -1 : 1)))
  const what = ['mcp confirmation', credential.keyId, tool, sorted, text].join('\n')
  return createHmac('sha256', secret).update(what).digest('base64url')
}

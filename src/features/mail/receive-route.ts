import { randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { grants } from '../../access/scopes.ts'
import type { Received } from '../../content/contents.ts'
import { attempt } from '../../content/disk.ts'
import { message } from '../../crm/message.ts'
import { type ApiResponse, deleted, shown } from '../../engine/api/call/http-response.ts'
import type { Call, Caller, Route } from '../../engine/api/call/route.ts'
import { readParameters } from '../../engine/finding/query/parameters.ts'
import { invalid } from '../../engine/records/definition/faults.ts'
import { lookupText } from '../../engine/records/select.ts'
import { ApiError, type Detail, validationError } from '../../errors.ts'
import { rawBytesMax } from '../../mail/bounds.ts'
import type { Mailroom } from '../../mail/mailroom.ts'
import type { MailAnswer } from '../../mail/read-mail.ts'
import type { Writer } from '../../store/reader.ts'
import { requireMail } from './address-routes.ts'
import { arrivalOf, discardParts, logged } from './deliver.ts'
import type { Outcome } from './delivery.ts'
import { describeReceive } from './describe-receive.ts'
import { lookupMailAddress, type MailPlace } from './lookup-address.ts'
import { recordIn } from './record-in.ts'
import type { Arrival, Result } from './record-message.ts'

const mailType = 'message/rfc822'

type Refused = Extract<MailAnswer, { refused: string }>

/** `POST /api-v1-messages?address=…`: the body is a raw message (decision P3). */
export const receiveRoute: Route = {
  method: 'POST',
  path: `/${message.path}`,
  scope: message.scopes.write,
  takesBody: false,
  fileBytesMax: rawBytesMax,
  takesFile(call) {
    requireMail(call)
    findPlace(call)
    requireMailType(call.upload!.mediaType)
  },
  run: receive,
  describe: describeReceive,
}

/** Throws INVALID_REQUEST (415). */
export function requireMailType(mediaType: string): void {
  if (mediaType === mailType) return
  throw new ApiError('INVALID_REQUEST', `The body is a raw message: Content-Type must be ${mailType}`, { status: 415 })
}

async function receive(call: Call): Promise<ApiResponse> {
  const mail = requireMail(call)
  const place = findPlace(call)
  const { workDirectory } = mail
  const file = join(workDirectory, `${randomUUID()}.eml`)
  let answer: MailAnswer | undefined
  try {
    await putFile(call.upload!.received!, file)
    answer = await mail.reader.read(file, { workDirectory, companyId: place.companyId })
    if ('refused' in answer) return await refuse(call, place, answer)
    return await store(call, { mail, place, file, arrival: arrivalOf(answer.mail, [place], mail) })
  } catch (error) {
    if (error instanceof ApiError && error.code === 'PLAN_LIMIT_EXCEEDED') await logRefusal(call, place, error.message)
    throw error
  } finally {
    if (answer && 'mail' in answer) await discardParts(answer.mail)
    await rm(file, { force: true })
  }
}

interface Arrived {
  readonly mail: Mailroom
  readonly place: MailPlace
  readonly file: string
  readonly arrival: Arrival
}

async function store(call: Call, { mail, place, file, arrival }: Arrived): Promise<ApiResponse> {
  const { contents, reader, caller, release } = call
  const prepare = (run: (tx: Writer) => void) =>
    call.prepare((tx) => {
      run(tx)
      return deleted
    })
  const workplace = { contents: contents!, workspaceId: caller.workspaceId, reader, file, prepare, release }
  let outcome: Outcome | undefined
  const response = await recordIn(workplace, arrival, (record) =>
    call.write((tx, now) => {
      const result = record(tx)
      outcome = result.outcome
      logged(tx, 'http', [place], result)
      return responseTo(tx, now, result)
    }),
  )
  mail.counts.note('http', outcome!)
  return response
}

/** Throws INVALID_REQUEST. */
async function refuse(call: Call, place: MailPlace, { refused, code }: Refused): Promise<never> {
  await logRefusal(call, place, refused)
  throw new ApiError('INVALID_REQUEST', refused, { status: code === 'TOO_LARGE' ? 413 : 400 })
}

async function logRefusal(call: Call, place: MailPlace, reason: string): Promise<void> {
  await call.prepare((tx) => {
    logged(tx, 'http', [place], { outcome: 'refused', reason, messageId: null })
    return deleted
  })
  requireMail(call).counts.note('http', 'refused')
}

/** Makes what has arrived a file of its own, which the reader and the contents can read. */
async function putFile({ putAt }: Received, file: string): Promise<void> {
  await attempt('The message was not stored', file, async () => {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    await putAt(file)
  })
}

/** The address that the query names, in the caller's workspace. Throws VALIDATION_ERROR, NOT_FOUND. */
function findPlace({ query, access, caller }: Call): MailPlace {
  const details: Detail[] = []
  const address = readParameters(query, ['address'], details).get('address')
  if (address === undefined || address.trim() === '')
    details.push(invalid('address', 'address is required: the mail address at which the message arrives', 'REQUIRED'))
  if (details.length > 0) throw validationError(details)
  const place = lookupMailAddress(access, address!)
  if (place?.workspaceId === caller.workspaceId) return place
  throw new ApiError('NOT_FOUND', 'Mail address not found')
}

/**
 * Shows what the caller may see. A message that the caller may not see, or that was there before and is not seen, is answered like one that
 * is new.
 */
function responseTo(tx: Writer, caller: Caller, { outcome, messageId }: Result): ApiResponse {
  const path = `/${message.path}`
  const answer = (status: number, text: string, told: string, location = path): ApiResponse => ({
    ...shown(status, text, message),
    headers: [...(status === 201 ? ['Location', location] : []), 'Kontor-Outcome', told],
  })
  if (outcome === 'internal' || messageId === null) return answer(200, 'null', outcome)
  if (!isVisible(tx, messageId)) return answer(201, '{"id":null}', 'stored')
  const mayRead = grants(caller.scopes, message.scopes.read)
  const text = mayRead ? lookupText(message, tx, messageId) : undefined
  const status = outcome === 'duplicate' ? 200 : 201
  return answer(status, text ?? JSON.stringify({ id: messageId }), outcome, `${path}/${messageId}`)
}

/** Whether the caller, whose transaction it is, may see a message. */
function isVisible(tx: Writer, id: string): boolean {
  return tx.value('SELECT 1 FROM message WHERE workspace_id = :workspace AND id = ?', id) !== undefined
}

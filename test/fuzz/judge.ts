import assert from 'node:assert/strict'
import { parseSnapshot } from '../changes/snapshot.ts'
import { pages } from './junk.ts'
import { isLog, isShared, type Tenant } from './tenant.ts'
import type { Reply, Shot } from './wire.ts'

export const uuids = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g
const marks = /mark\d+[a-z]+/g

/** Records the owner of each id: the first tenant that received it, or the tenant's company. */
export class Owners {
  readonly #owners = new Map<string, string>()

  /** Lets both tenants of a company see an id. */
  share(id: string, { companyMark }: Tenant): void {
    this.#owners.set(id, companyMark)
  }

  /** Throws if a response shows a tenant the data of another one. An error may repeat parts of the request. */
  judge(tenant: Tenant, shot: Shot, { status, text }: Reply): void {
    const isError = status >= 400 || (shot.target.startsWith('/mcp') && text.includes('"isError":true'))
    const asked = isError ? `${decodeURIComponent(safely(shot.target))} ${shot.body ?? ''}` : ''
    for (const id of new Set(text.match(uuids))) {
      const owner = this.#owners.get(id)
      if (owner === undefined && isLog(shot.target)) continue // it also shows users and keys, which the company owns
      if (owner === undefined) this.#owners.set(id, isShared(shot.target) ? tenant.companyMark : tenant.mark)
      else if (!isOwn(tenant, owner) && !asked.includes(id)) assert.fail(`shows the id ${id} of ${owner}`)
    }
    for (const mark of new Set(text.match(marks))) {
      if (describesCompany(shot.target) && isOfCompany(tenant, mark)) continue
      if (!isOwn(tenant, mark) && !asked.includes(mark)) assert.fail(`shows a text of ${mark}`)
    }
  }
}

function isOwn({ mark, companyMark }: Tenant, owner: string): boolean {
  return owner === mark || owner === companyMark
}

/** Whether a response describes both workspaces of a company to its user: the declared fields. */
function describesCompany(target: string): boolean {
  return target.startsWith('/console/description') || pages.includes(target)
}

function isOfCompany({ mark }: Tenant, other: string): boolean {
  const [own, others] = [mark, other].map((each) => /\d+/.exec(each)![0])
  return own === others
}

/** A target that can be decoded. Invalid escapes are kept. */
export function safely(target: string): string {
  return target.replace(/%(?![0-7][0-9a-f])/gi, '%25')
}

/** The members of a response of the feed. */
const feedNames = ['data', 'cursor', 'has_more', 'latest_seq', 'oldest_seq', 'log_id', 'filtered']

/** Throws unless the response is well-formed. Returns its JSON. */
export function judgeForm({ target, method }: Shot, { status, headers, text }: Reply): unknown {
  const isSnapshot = target.startsWith('/api-v1-snapshot')
  const isUpload = method === 'POST' && target.startsWith('/api-v1-files') // of content that is being removed
  const isMail = method === 'POST' && target.startsWith('/api-v1-messages') // to an address that is being changed
  assert.ok(
    status >= 200 && (status < 500 || ((isSnapshot || isUpload || isMail) && status === 503)),
    `status ${status}`,
  )
  assert.ok(headers['x-request-id'], 'has a request id')
  const isHealth = /^\/(?:healthz|readyz|readyz\/leader)(?:\?|$)/.test(target)
  if (!isHealth && !target.startsWith('/mail/'))
    for (const name of ['limit', 'remaining', 'reset']) assert.match(String(headers[`x-ratelimit-${name}`]), /^\d+$/)
  if (method === 'HEAD' || status === 304) {
    assert.equal(text, '')
    return undefined
  }
  if (isSnapshot && status === 200) {
    parseSnapshot(text)
    return undefined
  }
  if (/^\/api-v1-bulk\/jobs\/[^/]+\/results$/.test(target) && status === 200) {
    assertResults(text)
    return undefined
  }
  assert.equal(Number(headers['content-length']), Buffer.byteLength(text))
  if (/^\/api-v1-(?:files|messages)\/[^/]+\/(?:content|html|original)(?:\?|$)/.test(target) && status === 200)
    return undefined
  const isFrame = target.startsWith('/console/message-frame/')
  const isPage = (pages.includes(target) || isFrame) && status === 200
  assert.equal(headers['content-type'], isPage ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8')
  if (isPage) return undefined
  const body = JSON.parse(text)
  if ('jsonrpc' in body) assertMessage(body)
  else if (status >= 400) assertErrorShape(body)
  else if (!isHealth) {
    const names = target.startsWith('/api-v1-changes') ? feedNames : ['data', 'pagination', 'merged', 'moved', 'undo']
    assert.ok('data' in body && Object.keys(body).every((name) => names.includes(name)))
  }
  return body
}

function assertResults(text: string): void {
  for (const line of text.split('\n').filter((each) => each !== '')) {
    assert.deepEqual(Object.keys(JSON.parse(line)), ['row', 'outcome', 'id', 'errors'])
  }
}

/** The response of JSON-RPC to a request: a result or an error. */
function assertMessage({ jsonrpc, ...rest }: Record<string, unknown>): void {
  assert.equal(jsonrpc, '2.0')
  assert.ok(['id,result', 'error,id'].includes(Object.keys(rest).sort().join()), Object.keys(rest).join())
}

/** spec: Errors */
function assertErrorShape({ error, ...others }: { error: Record<string, unknown> }): void {
  const { code, message, details = [{ field: '', message: '', code: '' }], ...rest } = error
  assert.deepEqual([others, rest, typeof code, typeof message], [{}, {}, 'string', 'string'])
  assert.ok(Array.isArray(details) && details.length > 0)
  for (const detail of details) assert.deepEqual(Object.keys(detail), ['field', 'message', 'code'])
}

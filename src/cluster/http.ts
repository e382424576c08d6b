import { timingSafeEqual } from 'node:crypto'
import type { RateLimiter } from '../access/rate-limit.ts'
import { type Pending, writeBatch } from '../access/usage.ts'
import { ApiError, validationError } from '../errors.ts'
import type { Ctx, Exchange, Layer } from '../http/exchange.ts'
import { send } from '../http/response.ts'
import { Shown } from '../store/log-position.ts'
import type { Store } from '../store/store.ts'
import type { Member } from './member.ts'
import { batchHeader } from './report-usage.ts'

const positionHeader = 'Kontor-Position'
/** How long, in milliseconds, a request waits for its `Kontor-Min-Position`. */
const reachMs = 1_000

interface NodeHttp {
  member: Member
  store: Store
  limiter: RateLimiter
  /** What nodes and commands show each other. */
  secret: string
}

/** What a server with a log does before and after every request (docs/cluster.md). */
export function nodeLayer({ member, store, limiter, secret }: NodeHttp): Layer {
  const routes: Record<string, (ctx: Ctx) => Promise<void> | undefined> = {
    'GET /readyz/leader': (ctx) =>
      respond(ctx, member.isLeader && member.mayAnswer && isWritable(member) && !store.disk.fault),
    'GET /cluster/base': (ctx) => sendBaseTo(ctx, member),
    'POST /cluster/sync': async (ctx) => {
      member.requireWritable()
      await store.synced()
      return send(ctx, { status: 200, body: JSON.stringify({ position: member.position }) })
    },
    'POST /cluster/usage': async (ctx) => {
      member.requireWritable()
      await writeBatch(store, { ...readBatchName(ctx), counts: await readCounts(ctx) })
      return send(ctx, { status: 200, body: '{}' })
    },
  }
  return async (ctx, next) => {
    const { state } = ctx
    const run = routes[`${ctx.method} ${state.path}`]
    if (run && state.path.startsWith('/cluster/')) requireSecret(ctx, secret)
    if (run) {
      state.route = state.path // the request log does not show all of them
      return run(ctx)
    }
    if (state.path === '/healthz') return next()
    const isWriting = isWrite(ctx)
    state.settle = (showsData) => settle(state, { showsData, isWriting }, member, store)
    try {
      if (!member.mayAnswer) throw unsure()
      if (isWriting) member.requireWritable()
      await reachPosition(ctx, member, store)
    } catch (error) {
      throw limiter.admitAddress(state.address, state.headers) ?? error
    }
    state.shown = new Shown(store.position, isWriting)
    state.noteWrite = () => state.shown!.note(member.position)
    return next()
  }
}

/**
 * Adds the position. On a leader, waits until what the response shows is in the log; throws 503 SERVICE_UNAVAILABLE if that cannot be known. A
 * read is refused at once while the log cannot take what was committed.
 */
function settle(
  state: Exchange,
  { showsData, isWriting }: { showsData: boolean; isWriting: boolean },
  member: Member,
  store: Store,
): Promise<void> | undefined {
  const add = () => {
    const { position } = member
    const shown = showsData ? state.shown?.position : undefined
    state.headers.push(positionHeader, String(Math.min(shown ?? position, position)))
  }
  if (!showsData || !member.isLeader) {
    add()
    return undefined
  }
  return synced(isWriting, member, store).then(() => {
    if (!member.mayAnswer) throw unsure()
    add()
  })
}

async function synced(isWriting: boolean, member: Member, store: Store): Promise<void> {
  if (!isWriting) member.requireWritable()
  return store.synced()
}

function unsure(): ApiError {
  return new ApiError(
    'SERVICE_UNAVAILABLE',
    'This server cannot reach its log at present, so another one may have replaced it',
    {
      headers: { 'Retry-After': '1' },
    },
  )
}

function isWrite({ method }: Ctx): boolean {
  return method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS'
}

function isWritable(member: Member): boolean {
  try {
    member.requireWritable()
    return true
  } catch {
    return false
  }
}

/** Makes the request read what it asks for. Throws 503 SERVICE_UNAVAILABLE. */
async function reachPosition({ req }: Ctx, member: Member, store: Store): Promise<void> {
  const given = req.headers['kontor-min-position']
  if (given === undefined) return
  if (typeof given !== 'string' || !/^\d{1,15}$/.test(given)) {
    const message = 'Kontor-Min-Position must be the value of a Kontor-Position'
    throw validationError([{ field: 'Kontor-Min-Position', message, code: 'INVALID_FORMAT' }])
  }
  if (await member.reach(Number(given), reachMs)) {
    if ((store.position ?? -1) < Number(given)) store.renewSnapshot()
    return
  }
  throw new ApiError('SERVICE_UNAVAILABLE', `This server is at position ${member.position}, not yet at ${given}`, {
    headers: { 'Kontor-Leader': member.leaderUrl, 'Retry-After': '1' },
  })
}

function respond(ctx: Ctx, isReady: boolean): Promise<void> | undefined {
  const [status, text] = isReady ? [200, 'ready'] : [503, 'not ready']
  return send(ctx, { status: status as number, body: JSON.stringify({ status: text }) })
}

function requireSecret({ req }: Ctx, secret: string): void {
  const given = Buffer.from(req.headers.authorization ?? '')
  const expected = Buffer.from(`Bearer ${secret}`)
  if (given.length === expected.length && timingSafeEqual(given, expected)) return
  throw new ApiError('UNAUTHORIZED', 'Only nodes of this log may use this endpoint')
}

/** Sends the database, for a node that joins. It may take minutes. */
async function sendBaseTo(ctx: Ctx, member: Member): Promise<void> {
  const parts = await member.openBase()
  ctx.res.writeHead(200, [...ctx.state.headers, 'Content-Type', 'application/octet-stream'])
  ctx.state.outflow.sendParts(ctx.res, parts)
}

const countsBytesMax = 2 ** 20

/** The usage that a follower has counted. Throws INVALID_REQUEST. */
/** The node whose counts they are, and their id. Throws INVALID_REQUEST. */
function readBatchName({ req }: Ctx): { node: string; id: string } {
  const [node, id] = String(req.headers[batchHeader.toLowerCase()]).split(' ')
  if (node && id) return { node, id }
  throw new ApiError('INVALID_REQUEST', `${batchHeader} must name a node and its counts`)
}

async function readCounts({ req }: Ctx): Promise<Pending[]> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of req as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes > countsBytesMax) throw new ApiError('INVALID_REQUEST', 'The body is too large', { status: 413 })
    parts.push(part)
  }
  return JSON.parse(Buffer.concat(parts).toString()) as Pending[]
}

import type { ApiResponse } from '../engine/api/call/http-response.ts'
import { endUnread } from '../http/response.ts'
import { readEach } from './read.ts'

type Read = (target: string) => Promise<ApiResponse>

/** The columns whose deals are read: what a wide window shows. */
const columnsMax = 8

/** How long the document waits for them: its script can read them, too. */
const waitMs = 1_000

const stages = '/api-v1-stages?limit=100'

/** In the words of the board's script, the newest change first: what changes later is news. */
const targets = [
  '/api-v1-changes?after=now&limit=1',
  '/api-v1-webhooks?limit=100',
  stages,
  '/api-v1-views?resource=deal&sort=name&limit=100&page=1',
  '/api-v1-deals/summary?limit=1000&group_by=stage_id%2Ccurrency&measure=sum%3Avalue%2Cweighted%3Avalue',
]

const dealsOf = (stage: string) => `/api-v1-deals?stage_id=${stage}&include=organization%2Cassigned_user&limit=25`

/** The responses to what the script of the board reads first, by their paths, so that cards need no round trip after that of the script. */
export async function boardReads(read: Read): Promise<Record<string, unknown>> {
  const known: Record<string, unknown> = {}
  const add = async (paths: readonly string[]) => {
    const responses = await readEach(paths, read)
    for (const [at, { status, body, parts, secret }] of responses.entries()) {
      if (parts) endUnread(parts)
      else if (status === 200 && !secret) known[paths[at]!] = JSON.parse(body)
    }
  }
  const addAll = async () => {
    await add(targets)
    const { data = [] } = (known[stages] ?? {}) as { data?: { id: string }[] }
    await add(data.slice(0, columnsMax).map(({ id }) => dealsOf(id)))
  }
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, waitMs)
  await Promise.race([addAll(), late])
  clearTimeout(timer)
  return { ...known }
}

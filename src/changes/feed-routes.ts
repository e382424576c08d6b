import type { ApiResponse, EventSource } from '../engine/api/call/http-response.ts'
import type { Call, Route } from '../engine/api/call/route.ts'
import type { Resource } from '../engine/records/definition/resource.ts'
import { describeFeed } from './describe.ts'
import { readFeedQuery } from './feed-query.ts'
import { Following } from './following.ts'

/** The feed of a workspace's changes (decisions G5 and G6). */
export function feedRoute(resources: readonly Resource[]): Route {
  return {
    method: 'GET',
    path: '/api-v1-changes',
    scope: 'read:any',
    takesBody: false,
    run: (call) => feed(resources, call),
    describe: (doc) => describeFeed(doc, resources),
  }
}

function feed(resources: readonly Resource[], call: Call): ApiResponse | Promise<ApiResponse> {
  return call.headers.prefers('text/event-stream') ? openEvents(resources, call) : showPage(resources, call)
}

async function showPage(resources: readonly Resource[], call: Call): Promise<ApiResponse> {
  const query = readFeedQuery(resources, call.query)
  const following = new Following(resources, call, query)
  const { changes, hasMore, latest, oldest } = await following.wait(query.wait * 1000)
  const rest = {
    ...{ cursor: following.cursor(), has_more: hasMore, latest_seq: latest, oldest_seq: oldest },
    ...{ log_id: following.logId, filtered: following.isFiltered },
  }
  return { status: 200, body: `{"data":[${changes.map(({ text }) => text).join()}],${JSON.stringify(rest).slice(1)}` }
}

/** The number of changes that a stream reads at a time. */
const streamedMax = 100

async function openEvents(resources: readonly Resource[], call: Call): Promise<ApiResponse> {
  const query = readFeedQuery(resources, call.query, call.headers.lastEventId)
  const following = new Following(resources, call, { ...query, limit: Math.min(query.limit, streamedMax) })
  await following.synced()
  return { status: 200, body: '', events: eventsOf(following, call.caller.workspaceId) }
}

function eventsOf(following: Following, workspaceId: number): EventSource {
  return {
    workspaceId,
    get latest() {
      return following.latest
    },
    get position() {
      return following.cursor()
    },
    renew: () => following.renew(),
    async next() {
      const { changes, hasMore } = await following.next()
      const text = changes.map(
        (each) => `id: ${following.cursor(each.seq)}\nevent: ${each.type}\ndata: ${each.text}\n\n`,
      )
      return { text: text.join(''), hasMore }
    },
  }
}

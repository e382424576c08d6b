import type { Resource } from '../engine/definition/resource.ts'
import type { ApiResponse } from '../engine/http-response.ts'
import type { Call, Route } from '../engine/route.ts'
import { describeFeed } from './describe.ts'
import { cursorOf, type FeedPage, type Follower, isFiltered, openFollower, readPage } from './feed.ts'
import { readFeedQuery } from './feed-query.ts'

/** The feed of a workspace's changes (decision G5). */
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

async function feed(resources: readonly Resource[], call: Call): Promise<ApiResponse> {
  const query = readFeedQuery(resources, call.query)
  const follower = openFollower(call, query)
  const page = readPage(resources, call.reader, follower)
  await call.synced()
  return { status: 200, body: pageText(resources, follower, page) }
}

function pageText(resources: readonly Resource[], follower: Follower, page: FeedPage): string {
  const { latest, oldest, hasMore, seq } = page
  const rest = {
    ...{ cursor: cursorOf(follower, seq), has_more: hasMore, latest_seq: latest, oldest_seq: oldest },
    ...{ log_id: follower.logId, filtered: isFiltered(resources, follower) },
  }
  return `{"data":[${page.changes.map(({ text }) => text).join()}],${JSON.stringify(rest).slice(1)}`
}

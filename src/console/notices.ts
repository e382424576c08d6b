import { removeNotices } from '../access/notice.ts'
import { type ConsoleRoute, data, type MemberCall, readTexts } from './route.ts'

/** What others have done to the signed-in user's account. Every session shows it until the user has read it. */
export const noticeRoutes: ConsoleRoute[] = [
  { method: 'POST', path: '/console/notices/read', takesBody: true, for: 'member', run: read },
]

/** `until`: `created_at` of the newest notice that the user has seen. */
async function read({ body, write }: MemberCall) {
  const { until } = readTexts(body, ['until'])
  await write((tx, { userId }) => removeNotices(tx, userId, until))
  return data({ read: true })
}

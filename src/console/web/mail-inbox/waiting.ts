import { signal } from '@preact/signals'
import { useLayoutEffect } from 'preact/hooks'
import type { Environment } from '../../../access/company.ts'
import { get } from '../data/http.ts'
import { type News, useNews } from '../data/news.ts'
import { environmentOf } from '../session/place.ts'
import { description } from '../session/session.ts'

/** How many messages wait in the inbox; the server counts to 100. */
export const waiting = signal(0)

/** `3`, `99+` */
export function waitingText(count: number): string {
  return count > 99 ? '99+' : String(count)
}

/** How many counts have begun, and which of them is shown. */
let [begun, shown] = [0, 0]

/** Counts again, after an action. Without an answer, the old number stays; of several counts, the last one with an answer is shown. */
export async function countWaiting(): Promise<void> {
  const count = ++begun
  const counted = await get<{ waiting: number }>('/console/inbox').catch(() => undefined)
  if (!counted || count < shown) return
  waiting.value = counted.waiting
  shown = count
}

/** Whether the workspace has an inbox. */
export function hasInbox(environment = environmentOf(location.pathname)): boolean {
  const { takes_mail, with_mail } = description.value!
  return takes_mail || with_mail.includes(environment)
}

/** Whether a change may concern what waits. */
export function isOfMail({ resource }: News): boolean {
  return resource === 'message' || resource === 'ignored_sender'
}

/** Keeps the number up to date while the workspace is open. */
export function useWaiting(environment: Environment): void {
  const isShown = hasInbox(environment)
  useLayoutEffect(() => {
    waiting.value = 0
    shown = begun + 1 // those that are under way are of the other workspace
    if (isShown) void countWaiting()
  }, [environment, isShown])
  useNews(isOfMail, () => isShown && countWaiting())
}

import { stateReading } from '../changes/as-of.ts'
import { feedReading } from '../changes/feed.ts'
import { historyReading } from '../changes/history.ts'
import { latestReading } from '../changes/latest.ts'
import { calendarReading } from '../crm/calendar-reading.ts'
import { loggedResources } from '../crm/index.ts'
import { resultsReading } from '../crm/show-results.ts'
import type { Reading } from '../engine/reading.ts'

// biome-ignore lint/suspicious/noExplicitAny: each is given the question that its own route asks
type AnyReading = Reading<any, unknown>

const all: readonly AnyReading[] = [
  feedReading(loggedResources),
  historyReading(loggedResources),
  stateReading(loggedResources),
  latestReading(loggedResources.filter(({ operations }) => operations.includes('delete'))),
  resultsReading,
  calendarReading,
]

/** What a thread can read, by name. */
export const readings: ReadonlyMap<string, AnyReading> = new Map(all.map((reading) => [reading.name, reading]))

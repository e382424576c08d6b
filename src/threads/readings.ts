import { stateReading } from '../changes/as-of.ts'
import { feedReading } from '../changes/feed.ts'
import { historyReading } from '../changes/history.ts'
import { latestReading } from '../changes/latest.ts'
import { calendarReading } from '../features/calendar/reading.ts'
import { resultsReading } from '../features/imports/show-results.ts'
import { undoneReading } from '../features/imports/undone.ts'
import { loggedResources } from '../features/index.ts'
import { byName } from './reading-name.ts'

/** What a thread can read beside lists, summaries and searches, by name. */
export const readings = byName([
  feedReading(loggedResources),
  historyReading(loggedResources),
  stateReading(loggedResources),
  latestReading(loggedResources.filter(({ operations }) => operations.includes('delete'))),
  resultsReading,
  calendarReading,
  undoneReading,
])

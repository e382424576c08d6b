import { stateReading } from '../changes/as-of.ts'
import { feedReading } from '../changes/feed.ts'
import { historyReading } from '../changes/history.ts'
import { latestReading } from '../changes/latest.ts'
import { calendarReading } from '../crm/calendar-reading.ts'
import { loggedResources } from '../crm/index.ts'
import { resultsReading } from '../crm/show-results.ts'
import { byName } from './reading-name.ts'

/** What a thread can read beside lists, summaries and searches, by name. */
export const readings = byName([
  feedReading(loggedResources),
  historyReading(loggedResources),
  stateReading(loggedResources),
  latestReading(loggedResources.filter(({ operations }) => operations.includes('delete'))),
  resultsReading,
  calendarReading,
])

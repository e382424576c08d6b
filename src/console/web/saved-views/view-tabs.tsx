import { Segments } from '../parts/segments.tsx'
import { href } from '../session/place.ts'
import { resourceOf } from '../session/session.ts'
import { t } from '../text/texts.ts'
import { placeOf } from './saved-views.ts'
import type { Views } from './use-views.ts'

/** How many views are next to each other. The others are in the picker. */
const tabsMax = 5

/** The first views of a list as tabs, and always the one that is shown. */
export function ViewTabs({ of, views: { data = [], chosen, id } }: { of: string; views: Views }) {
  if (data.length === 0) return null
  const first = data.slice(0, tabsMax)
  const shown = chosen && !first.includes(chosen) ? [...first, chosen] : first
  return (
    <Segments label={t('Views')} links>
      <a href={href(resourceOf(of).page)} aria-current={id === '' ? 'true' : undefined}>
        {t('All')}
      </a>
      {shown.map((view) => (
        <a key={view.id} href={placeOf(view)} aria-current={view.id === id ? 'true' : undefined}>
          {view.name}
        </a>
      ))}
    </Segments>
  )
}

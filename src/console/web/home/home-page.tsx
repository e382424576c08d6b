import { useState } from 'preact/hooks'
import { useNews } from '../data/news.ts'
import { loadStages } from '../data/stages.ts'
import { type Loaded, useData } from '../data/use-data.ts'
import { useReturn } from '../data/use-return.ts'
import { byKind } from '../deals/deal-figures.ts'
import { LoadingBody } from '../parts/error-notice.tsx'
import { useTitle } from '../parts/use-title.ts'
import { session } from '../session/session.ts'
import { recall, remember } from '../session/storage.ts'
import { t } from '../text/texts.ts'
import { Checklist } from './checklist.tsx'
import { HomeActivities, HomeWeeks } from './home-activities.tsx'
import { HomeClosing } from './home-closing.tsx'
import { HomeNumbers } from './home-numbers.tsx'
import { HomePipeline } from './home-pipeline.tsx'
import { loadHomeSums } from './home-sums.ts'
import { HomeTasks } from './home-tasks.tsx'
import { LatestChanges } from './latest-changes.tsx'

const scopes = [
  { name: 'mine', label: t('Mine') },
  { name: 'everyone', label: t('Everyone') },
] as const

/** The start page: the numbers of the pipeline, then what is due and closing, and what happened. */
export function Home() {
  useTitle(t('Home'))
  const { id, full_name } = session.value!.user
  const [scope, setScope] = useHomeScope()
  const [first] = full_name.split(' ')
  return (
    <div class="page">
      <div class="heading">
        <h1>{t('Good to see you, {first}', { first: first! })}</h1>
        <fieldset class="segments">
          <legend class="unseen">{t('Whose work')}</legend>
          {scopes.map(({ name, label }) => (
            <button key={name} type="button" aria-pressed={name === scope} onClick={() => setScope(name)}>
              {label}
            </button>
          ))}
        </fieldset>
      </div>
      <Work key={scope} owner={scope === 'mine' ? id : undefined} />
    </div>
  )
}

/** `owner`: the id of the user whose work is shown; undefined: everyone's. */
function Work({ owner }: { owner: string | undefined }) {
  const loaded = useData(loadStages, [])
  const sums = useData((signal) => loadHomeSums({ assigned_to: owner }, signal), [owner])
  useReturn(loaded.reload)
  useReturn(sums.reload)
  useNews(({ resource }) => resource === 'stage', loaded.refresh)
  useNews(({ resource }) => ['stage', 'deal'].includes(resource), sums.refresh)
  const stages = loaded.data && byKind(loaded.data)
  return (
    <>
      <HomeNumbers owner={owner} stages={stages} sums={sums.data} />
      <Checklist />
      <div class="grid-2">
        <HomeTasks owner={owner} />
        {stages ? <HomeClosing owner={owner} stages={stages} /> : <Awaited of={loaded} />}
      </div>
      <div class="grid-2">
        {stages && sums.data ? (
          <HomePipeline owner={owner} stages={stages} sums={sums.data} />
        ) : (
          <Awaited of={loaded.error ? loaded : sums} />
        )}
        <HomeWeeks owner={owner} />
      </div>
      <div class="grid-2">
        <HomeActivities owner={owner} />
        <LatestChanges />
      </div>
    </>
  )
}

/** A card whose content is loading, or could not be loaded. */
function Awaited({ of }: { of: Loaded<unknown> }) {
  return (
    <div class="card">
      <LoadingBody of={of} />
    </div>
  )
}

/** Whose work the home page shows. */
type HomeScope = 'mine' | 'everyone'

const storageKey = 'kontor.home'

/** The choice that this browser remembers. */
function useHomeScope(): [HomeScope, (scope: HomeScope) => void] {
  const [scope, setScope] = useState<HomeScope>(() => (recall(storageKey) === 'mine' ? 'mine' : 'everyone'))
  const choose = (chosen: HomeScope) => {
    setScope(chosen)
    remember(storageKey, chosen)
  }
  return [scope, choose]
}

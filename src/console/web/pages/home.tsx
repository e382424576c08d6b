import { byKind } from '../deal-figures.ts'
import { useHomeScope } from '../home-scope.ts'
import { list } from '../http.ts'
import { useNews } from '../news.ts'
import { Checklist } from '../parts/checklist.tsx'
import { LoadingOrError } from '../parts/error-notice.tsx'
import { HomeActivities, HomeWeeks } from '../parts/home-activities.tsx'
import { HomeClosing } from '../parts/home-closing.tsx'
import { HomeNumbers } from '../parts/home-numbers.tsx'
import { HomePipeline } from '../parts/home-pipeline.tsx'
import { HomeTasks } from '../parts/home-tasks.tsx'
import { LatestChanges } from '../parts/latest-changes.tsx'
import { loadStageGroups } from '../pipeline-sums.ts'
import { session } from '../session.ts'
import { t } from '../texts.ts'
import { type Loaded, useData } from '../use-data.ts'
import { useReturn } from '../use-return.ts'
import { useTitle } from '../use-title.ts'
import type { Row } from '../views.ts'

const scopes = [
  { name: 'mine', label: t('Mine') },
  { name: 'everyone', label: t('Everyone') },
] as const

/** The start page: what is due and closing, then the numbers of the pipeline, and what happened. */
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
      <Checklist />
      <Work key={scope} owner={scope === 'mine' ? id : undefined} />
    </div>
  )
}

/** `owner`: the id of the user whose work is shown; undefined: everyone's. */
function Work({ owner }: { owner: string | undefined }) {
  const loaded = useData((signal) => list<Row>('/api-v1-stages', { limit: 100 }, signal), [])
  const groups = useData((signal) => loadStageGroups({ assigned_to: owner }, signal), [owner])
  useReturn(loaded.reload)
  useReturn(groups.reload)
  useNews(({ resource }) => resource === 'stage', loaded.refresh)
  useNews(({ resource }) => ['stage', 'deal'].includes(resource), groups.refresh)
  const stages = loaded.data && byKind(loaded.data.data)
  return (
    <>
      <div class="grid-2">
        <HomeTasks owner={owner} />
        {stages ? <HomeClosing owner={owner} stages={stages} /> : <Awaited of={loaded} />}
      </div>
      <HomeNumbers owner={owner} stages={stages} groups={groups.data} />
      <div class="grid-2">
        {stages && groups.data ? (
          <HomePipeline owner={owner} stages={stages} groups={groups.data} />
        ) : (
          <Awaited of={loaded.error ? loaded : groups} />
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
      <div class="body">
        <LoadingOrError of={of} />
      </div>
    </div>
  )
}

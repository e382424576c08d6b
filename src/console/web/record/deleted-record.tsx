import { actorText, type Change, verbOf } from '../data/change-log.ts'
import { get, list } from '../data/http.ts'
import { includeOf, type Row, titleOf } from '../data/resource-views.ts'
import { useData } from '../data/use-data.ts'
import { Card } from '../parts/card.tsx'
import { LoadingOrError } from '../parts/error-notice.tsx'
import { T } from '../parts/rich-text.tsx'
import { SubpageTitle } from '../parts/subpage-title.tsx'
import { Moment } from '../parts/value.tsx'
import { href } from '../session/place.ts'
import { resourceOf } from '../session/session.ts'
import { t } from '../text/texts.ts'
import { RestoreButton } from '../trash/restore-button.tsx'
import { RecordName } from '../undo/change-value.tsx'
import { Facts } from './facts.tsx'
import { History } from './history.tsx'

interface DeletedRecordProps {
  of: string
  id: string
  /** Why the record could not be loaded: shown if it never existed. */
  error: Error
  onRestored: () => void
}

/** The page of a record that does not exist: as it was before it was deleted, if it ever existed. */
export function DeletedRecord({ of, id, error, onRestored }: DeletedRecordProps) {
  const { label, plural, page } = resourceOf(of)
  const loaded = useData((signal) => loadDeleted(of, id, signal), [of, id])
  if (loaded.data) return <Remains {...{ of, id, onRestored }} {...loaded.data} />
  return (
    <div class="page">
      <a href={href(page)}>{plural}</a>
      <h1 class={loaded.error ? '' : 'unseen'}>{label}</h1>
      <LoadingOrError of={{ error: loaded.error && error, reload: onRestored }} />
    </div>
  )
}

interface Deleted {
  /** The deletion, or the erasure. */
  change: Change
  /** The record before it was deleted; undefined once it has been erased. */
  row: Row | undefined
}

/** Throws if the record never existed, or exists. */
async function loadDeleted(of: string, id: string, signal: AbortSignal): Promise<Deleted> {
  const path = `/${resourceOf(of).path}/${id}`
  const [change] = (await list<Change>(`${path}/history`, { limit: 1 }, signal)).data
  if (!change) throw new Error(t('The log does not go back that far.'))
  if (!change.data) return { change, row: undefined }
  const before = `${path}?as_of=${change.seq - 1}&include=${includeOf(of)}`
  return { change, row: await get<Row>(before, signal).catch(() => change.data!) }
}

function Remains({ of, id, change, row, onRestored }: Deleted & Pick<DeletedRecordProps, 'of' | 'id' | 'onRestored'>) {
  const resource = resourceOf(of)
  const verb = verbOf(change) === 'erased' ? t('Erased permanently') : t('Deleted')
  const title = row ? titleOf(of, row) : resource.label
  return (
    <div class="page">
      <div class="heading">
        <div class="stack tight">
          <SubpageTitle of={resource} title={title}>
            <span class="badge bad">{verb}</span>
          </SubpageTitle>
          <p class="muted">
            {t('{verb} by {name}', { verb, name: actorText(change.actor) })} · <Moment at={change.at} />
          </p>
          {change.cause?.merge && (
            <p>
              <T text="Merged into {record}" record={<RecordName of={of} id={change.cause.merge} />} />
            </p>
          )}
        </div>
        {row && <RestoreButton {...{ id, title, onRestored }} />}
      </div>
      <div class="split">
        {row ? <Facts of={of} row={row} /> : <p class="muted">{t('Nothing is left of what it contained.')}</p>}
        <Card label={t('History')}>
          <div class="body stack">
            <History of={of} id={id} />
          </div>
        </Card>
      </div>
    </div>
  )
}

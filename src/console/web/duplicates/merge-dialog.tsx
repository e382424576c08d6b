import { useState } from 'preact/hooks'
import { get, request, requestWhole } from '../data/http.ts'
import { type Row, titleOf } from '../data/resource-views.ts'
import { type Loaded, useData } from '../data/use-data.ts'
import { useDiscardQuestion } from '../forms/form-dialog.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { ErrorNotice, LoadingOrError } from '../parts/error-notice.tsx'
import { resourceOf } from '../session/session.ts'
import { about, t } from '../text/texts.ts'
import { countText, notifyChange } from '../undo/undo.ts'
import { MergeFields } from './merge-fields.tsx'
import { MergedRecords } from './merged-records.tsx'
import { type Chosen, fieldsOf, mergeFields, movedText } from './merging.ts'

/** The most records that one merge takes. */
export const mergedMax = 11

interface MergeDialogProps {
  of: string
  ids: readonly string[]
  onClose: () => void
  onMerged: () => void
}

/** Compares records side by side and merges them. */
export function MergeDialog({ of, ids, onClose, onMerged }: MergeDialogProps) {
  const { path, plural } = resourceOf(of)
  const load = (signal: AbortSignal) => Promise.all(ids.map((id) => get<Row>(`/${path}/${id}`, signal)))
  const loaded = useData(load, [of, ids.join()])
  const [isChanged, setChanged] = useState(false)
  const [busy, setBusy] = useState(false)
  const mayClose = useDiscardQuestion({ busy, isChanged })
  const close = async () => {
    if (await mayClose()) onClose()
  }
  return (
    <Dialog title={about('Merge {noun}', plural)} wide {...(!busy && { onClose: close })}>
      {loaded.data && !loaded.error ? (
        <Comparison
          {...{ of, busy, setBusy, onMerged }}
          rows={loaded.data}
          onChanged={() => setChanged(true)}
          onStale={loaded.reload}
          onCancel={close}
        />
      ) : (
        <LoadingOrError of={loaded} />
      )}
    </Dialog>
  )
}

interface ComparisonProps extends Pick<MergeDialogProps, 'of' | 'onMerged'> {
  rows: readonly Row[]
  busy: boolean
  setBusy: (busy: boolean) => void
  onChanged: () => void
  /** A record has changed since it was read. */
  onStale: () => void
  onCancel: () => void
}

interface Preview {
  data: Row
  moved: Record<string, number>
}

function Comparison({ of, rows, busy, setBusy, onMerged, onChanged, onStale, onCancel }: ComparisonProps) {
  const { path } = resourceOf(of)
  const [survivorId, setSurvivor] = useState(rows[0]!.id)
  const [left, setLeft] = useState<readonly string[]>([])
  const [chosen, setChosen] = useState<Chosen>({})
  const [error, setError] = useState<Error>()
  const merged = rows.filter(({ id }) => !left.includes(id))
  const survivor = merged.find(({ id }) => id === survivorId) ?? merged[0]!
  const others = merged.filter((row) => row !== survivor)
  const ranked = [survivor, ...others]
  const fields = mergeFields(of, merged)
  const body = { with: others.map(({ id }) => id), fields: fieldsOf(fields, ranked, chosen) }
  const url = `/${path}/${survivor.id}/merge`
  const preview = useData(
    (signal) => requestWhole<Preview>('POST', url, { body: { ...body, dry_run: true }, signal }),
    [url, JSON.stringify(body), rows],
  )
  const change = (apply: () => void) => {
    apply()
    onChanged()
  }
  const merge = async () => {
    setBusy(true)
    setError(undefined)
    try {
      const done = await request<Row>('POST', url, { body, ifMatch: survivor })
      notifyChange(t('{records} merged.', { records: countText(of, merged.length) }), done)
      onMerged()
    } catch (reason) {
      setError(reason as Error)
      setBusy(false)
      if ((reason as { status?: number }).status === 412) onStale()
    }
  }
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard */}
      <section class="comparison" aria-label={t('Comparison')} tabIndex={0} style={{ '--records': rows.length }}>
        <MergedRecords
          {...{ of, rows, survivor, left }}
          onSurvivor={(id) => change(() => setSurvivor(id))}
          onLeft={(ids) => change(() => setLeft(ids))}
        />
        <MergeFields
          {...{ of, fields, rows, left, ranked, chosen }}
          onChoose={(name, id) => change(() => setChosen({ ...chosen, [name]: id }))}
        />
      </section>
      <Outcome {...{ of, preview }} others={others.length} />
      <ErrorNotice error={error} />
      <div class="actions">
        <button type="button" class="button" disabled={busy} onClick={onCancel}>
          {t('Cancel')}
        </button>
        <button
          type="button"
          class="button primary"
          disabled={busy || preview.loading || preview.error !== undefined}
          onClick={merge}
        >
          {t('Merge')}
        </button>
      </div>
    </>
  )
}

interface OutcomeProps {
  of: string
  /** How many records go to the trash. */
  others: number
  preview: Loaded<Preview>
}

/** What the merge would do, as the server has tried it. */
function Outcome({ of, others, preview }: OutcomeProps) {
  if (preview.error) return <LoadingOrError of={preview} />
  const { data } = preview
  return (
    <section class="notice" aria-label={t('Preview')} aria-busy={preview.loading}>
      <p role="status">
        {data
          ? t('Result: “{title}”. To the trash: {count}. {outcome}', {
              title: titleOf(of, data.data),
              count: countText(of, others),
              outcome: outcomeText(movedText(data.moved)),
            })
          : t('Trying it out…')}
      </p>
    </section>
  )
}

function outcomeText(moved: string): string {
  return moved === '' ? t('Nothing else moves.') : t('Moves to the result: {moved}.', { moved })
}

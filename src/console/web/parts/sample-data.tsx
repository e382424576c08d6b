import { useState } from 'preact/hooks'
import type { FirstSteps } from '../../first-steps.ts'
import type { UndoReport } from '../data/change-log.ts'
import { get, post, request } from '../data/http.ts'
import { tell, useNews } from '../data/news.ts'
import { useData } from '../data/use-data.ts'
import { counted, t } from '../text/texts.ts'
import { Card } from './card.tsx'
import { notify } from './notes.tsx'

const path = '/console/sample-data'

/** Adds sample data to an empty workspace, and removes it. */
export function SampleData({ state }: { state: FirstSteps['samples'] }) {
  const [busy, setBusy] = useState(false)
  const run = async (change: () => Promise<string>) => {
    setBusy(true)
    try {
      notify(await change())
    } catch (error) {
      notify((error as Error).message)
    }
    setBusy(false)
    tell('undone')
  }
  if (state === 'none') return null
  return (
    <div class="row apart">
      <p class="muted small">
        {state === 'possible'
          ? t('Look around with made-up organizations, contacts, deals and tasks. One click removes them again.')
          : t('This workspace has sample data. What you have changed in it stays when you remove it.')}
      </p>
      <button
        type="button"
        class={state === 'possible' ? 'button primary' : 'button'}
        disabled={busy}
        onClick={() => run(state === 'possible' ? add : removeAll)}
      >
        {state === 'possible' ? t('Try with sample data') : t('Remove sample data')}
      </button>
    </div>
  )
}

async function add(): Promise<string> {
  await post(path)
  return t('Sample data added.')
}

async function removeAll(): Promise<string> {
  const { reversed, kept, errored } = await request<UndoReport>('DELETE', path)
  const left = kept.length + errored.length
  if (reversed.length + left === 0) return t('Nothing was removed: the log of changes is too short.')
  if (left === 0) return t('Sample data removed.')
  return counted(
    'Sample data removed. {n} record was changed since and stays.|Sample data removed. {n} records were changed since and stay.',
    left,
  )
}

/** The sample data in the settings, where it can be removed after the first steps are hidden. */
export function SampleDataSettings() {
  const loaded = useData((signal) => get<FirstSteps>('/console/first-steps', signal), [])
  useNews(() => true, loaded.refresh)
  if (loaded.data?.samples !== 'present') return null
  return (
    <Card label={t('Sample data')}>
      <div class="body">
        <SampleData state="present" />
      </div>
    </Card>
  )
}

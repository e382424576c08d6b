import { useEffect } from 'preact/hooks'
import type { BackupReport } from '../../backups.ts'
import { get, post } from '../data/http.ts'
import { type Loaded, useData } from '../data/use-data.ts'
import { Card } from '../parts/card.tsx'
import { notify } from '../parts/notes.tsx'
import { T } from '../parts/rich-text.tsx'
import { Moment } from '../parts/value.tsx'
import { sizeText } from '../text/format.ts'
import { counted, t } from '../text/texts.ts'

const path = '/console/backups'
const pollMs = 1_000

/** The backups of the server, for the owners of its only company. */
export function BackupSettings() {
  const loaded = useData((signal) => get<BackupReport | null>(path, signal), [])
  const report = loaded.data
  const isRunning = report?.is_running
  useEffect(() => {
    if (!isRunning) return
    const wait = () => setTimeout(look, pollMs)
    let timer: ReturnType<typeof wait> | undefined = wait()
    async function look(): Promise<void> {
      await loaded.refresh()
      if (timer) timer = wait() // also after one that has failed
    }
    return () => {
      clearTimeout(timer)
      timer = undefined
    }
  }, [isRunning])
  if (!report) return null
  return (
    <Card label={t('Backups')} beside={report.schedule && <BackUpNow of={report} reload={loaded.reload} />}>
      <div class="body stack">{report.schedule ? <Facts of={report} schedule={report.schedule} /> : <Missing />}</div>
    </Card>
  )
}

function BackUpNow({ of: { is_running }, reload }: { of: BackupReport; reload: Loaded<unknown>['reload'] }) {
  const start = async () => {
    try {
      await post(path)
    } catch (error) {
      notify((error as Error).message)
    }
    reload()
  }
  return (
    <button type="button" class="button" aria-disabled={is_running} onClick={is_running ? undefined : start}>
      {is_running ? t('Backing up …') : t('Back up now')}
    </button>
  )
}

interface FactsProps {
  of: BackupReport
  schedule: NonNullable<BackupReport['schedule']>
}

function Facts({ of: { last, next_at, has_failed }, schedule: { keep } }: FactsProps) {
  return (
    <>
      {has_failed && (
        <p role="alert" class="fault">
          {t('The latest backup failed. The log of the server says why.')}
        </p>
      )}
      <dl class="facts">
        <dt>{t('Last backup')}</dt>
        <dd>
          {last ? (
            <T text="{time}, {size}" time={<Moment at={last.at} />} size={sizeText(last.bytes)} />
          ) : (
            t('None yet')
          )}
        </dd>
        <dt>{t('Next backup')}</dt>
        <dd>{next_at ? <Moment at={next_at} /> : '–'}</dd>
      </dl>
      <p class="muted small">
        {counted('The latest scheduled backup is kept.|The latest {n} scheduled backups are kept.', keep)}{' '}
        {t('A backup that you make here is kept until you make another one.')}
      </p>
    </>
  )
}

function Missing() {
  return (
    <p>
      <T
        text="This server makes no backups. Its operator sets a directory for them with {setting}."
        setting={<code>KONTOR_BACKUP_DIR</code>}
      />
    </p>
  )
}

import { CalendarRange } from 'lucide'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { defaultPeriod, firstDay, type ReportPeriod, reportPeriods, spanOf } from '../data/report-spans.ts'
import type { Row } from '../data/resource-views.ts'
import type { Span } from '../data/spans.ts'
import { useData } from '../data/use-data.ts'
import { usePlace } from '../data/use-place.ts'
import { useReturn } from '../data/use-return.ts'
import { PipelineTabs } from '../deals/pipeline-tabs.tsx'
import { OwnerFilter } from '../lists/owner-filter.tsx'
import { Empty } from '../parts/empty.tsx'
import { LoadingBody } from '../parts/error-notice.tsx'
import { useTitle } from '../parts/use-title.ts'
import { dayRange } from '../text/format.ts'
import { t } from '../text/texts.ts'
import { ReportActivities } from './report-activities.tsx'
import { ReportClosed } from './report-closed.tsx'
import { loadReport } from './report-data.ts'
import { ReportForecast } from './report-forecast.tsx'
import { ReportFunnel } from './report-funnel.tsx'
import { ReportNumbers } from './report-numbers.tsx'
import { ReportOwners } from './report-owners.tsx'

/** What the reports are about. It is in the address, so a link shows a colleague the same. */
interface State {
  period: ReportPeriod
  from: string
  to: string
  owner: string
  pipeline_id: string
}

/** The funnel, what was won and lost, and the activity of a period. */
export function Reports() {
  useTitle(t('Reports'))
  const { path, query, route } = usePlace()
  const period = reportPeriods.find(({ name }) => name === query.period)?.name ?? defaultPeriod
  const state: State = {
    period,
    from: query.from ?? '',
    to: query.to ?? '',
    owner: query.owner ?? '',
    pipeline_id: query.pipeline_id ?? '',
  }
  const placeOf = (given: Partial<State>) => {
    const entries = Object.entries({ ...state, ...given }).filter(([, value]) => value !== '')
    return `${path}?${new URLSearchParams(entries)}`
  }
  const change = (given: Partial<State>) => route(placeOf(given))
  const span = spanOf(state.period, state.from, state.to)
  return (
    <div class="page">
      <div class="heading">
        <div class="stack tight">
          <h1>{t('Reports')}</h1>
          {span && <p class="muted small">{dayRange(span.start, span.end)}</p>}
        </div>
        <div class="row">
          <PeriodPicker state={state} onChange={change} />
          <OwnerFilter of="deal" owner={state.owner} onOwner={(owner) => change({ owner })} />
        </div>
      </div>
      {span ? (
        <Report
          span={span}
          owner={state.owner || undefined}
          pipelineId={state.pipeline_id || undefined}
          hrefOf={({ id }) => placeOf({ pipeline_id: id })}
        />
      ) : (
        <div class="card">
          <Empty icon={CalendarRange} title={t('Choose the days')}>
            {t('Enter the first and the last day of the report above.')}
          </Empty>
        </div>
      )}
    </div>
  )
}

interface PeriodPickerProps {
  state: State
  onChange: (given: Partial<State>) => void
}

function PeriodPicker({ state, onChange }: PeriodPickerProps) {
  const choose = (period: ReportPeriod) => onChange({ period, ...(period !== 'custom' && { from: '', to: '' }) })
  return (
    <>
      <select
        class="input fitting"
        aria-label={t('Period')}
        value={state.period}
        onChange={({ currentTarget: { value } }) => choose(value as ReportPeriod)}
      >
        {reportPeriods.map(({ name, label }) => (
          <option key={name} value={name}>
            {label}
          </option>
        ))}
      </select>
      {state.period === 'custom' && (
        <>
          <Day label={t('From')} value={state.from} onDay={(from) => onChange({ from })} />
          <Day label={t('To')} value={state.to} onDay={(to) => onChange({ to })} />
        </>
      )}
    </>
  )
}

/** The input is uncontrolled: nothing is written back while the user types, but the day of another address is. */
function Day({ label, value, onDay }: { label: string; value: string; onDay: (day: string) => void }) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const typed = useRef(value)
  useLayoutEffect(() => {
    if (value !== typed.current) input.current!.value = value
    typed.current = value
  }, [value])
  return (
    <div class="row">
      <label for={id}>{label}</label>
      <input
        ref={input}
        id={id}
        class="input fitting"
        type="date"
        min={firstDay}
        defaultValue={value}
        onChange={({ currentTarget }) => {
          typed.current = currentTarget.value
          onDay(typed.current)
        }}
      />
    </div>
  )
}

interface ReportProps {
  span: Span
  owner: string | undefined
  pipelineId: string | undefined
  hrefOf: (pipeline: Row) => string
}

function Report({ span, owner, pipelineId, hrefOf }: ReportProps) {
  const inputs = [span.start.getTime(), span.end.getTime(), owner, pipelineId]
  const loaded = useData((signal) => loadReport({ span, owner, pipelineId }, signal), inputs)
  useReturn(loaded.reload)
  const { data, error } = loaded
  if (!data || error) {
    return (
      <div class="card">
        <LoadingBody of={loaded} shape="chart" />
      </div>
    )
  }
  return (
    <div class="stack" aria-busy={loaded.loading}>
      <PipelineTabs pipelines={data.pipelines} shown={data.pipeline} hrefOf={hrefOf} />
      <ReportNumbers data={data} />
      <ReportForecast data={data} />
      <ReportFunnel data={data} />
      <ReportClosed data={data} />
      <div class="grid-2">
        <ReportOwners data={data} />
        <ReportActivities data={data} />
      </div>
    </div>
  )
}

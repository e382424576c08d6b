import { CircleCheck, CircleX, Clock } from 'lucide'
import { useState } from 'preact/hooks'
import { get } from '../data/http.ts'
import { useData } from '../data/use-data.ts'
import { LoadingOrError } from '../parts/error-notice.tsx'
import { Icon } from '../parts/icon.tsx'
import { single } from '../parts/single-click.ts'
import { Moment } from '../parts/value.tsx'
import { millisecondsText, moment, word } from '../text/format.ts'
import { locale } from '../text/locale.ts'
import { serverText } from '../text/server-texts.ts'
import { counted, t } from '../text/texts.ts'
import type { Attempt, Delivery } from './webhook.ts'

const shown = {
  pending: { tone: 'info', icon: Clock },
  succeeded: { tone: 'good', icon: CircleCheck },
  failed: { tone: 'bad', icon: CircleX },
}

interface DeliveryProps {
  of: Delivery
  /** Absent: it cannot be delivered again. */
  onRedeliver: (() => void) | undefined
}

/** One delivery. Its attempts and its request are shown on demand. */
export function DeliveryEntry({ of, onRedeliver }: DeliveryProps) {
  const { seq, type, status, attempts, next_attempt_at, created_at } = of
  const [open, setOpen] = useState(false)
  const { tone, icon } = shown[status]
  const name = seq === null ? type : t('{type}, change {seq}', { type, seq })
  return (
    <li class="wraps delivery">
      <details class="grow" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <span class={`badge ${tone}`}>
            <Icon of={icon} /> {word(status)}
          </span>{' '}
          <span class="mono type">{type}</span>
          {seq !== null && <span class="muted small number"> #{seq}</span>}
          <span class="muted small">
            {' · '}
            <Moment at={created_at} /> · {counted('{n} attempt|{n} attempts', attempts.length)}
            {next_attempt_at && attempts.length > 0 && ` · ${t('next: {moment}', { moment: moment(next_attempt_at) })}`}
          </span>
        </summary>
        {open && (
          <div class="stack">
            <Attempts of={attempts} />
            <Request of={of} />
          </div>
        )}
      </details>
      {onRedeliver && (
        <button
          type="button"
          class="button small"
          aria-label={t('Redeliver {name}', { name })}
          onClick={single(onRedeliver)}
        >
          {t('Redeliver')}
        </button>
      )}
    </li>
  )
}

function Attempts({ of }: { of: readonly Attempt[] }) {
  if (of.length === 0) return <p class="muted">{t('No attempt yet.')}</p>
  return (
    <ol class="stack tight" aria-label={t('Attempts')}>
      {of.map((attempt) => (
        <li key={attempt.at} class="stack tight">
          <div>
            <strong>
              {attempt.status === null ? t('No response') : t('Status {status}', { status: attempt.status })}
            </strong>{' '}
            <span class="muted small">
              <time dateTime={attempt.at}>{exactTime(attempt.at)}</time> · {millisecondsText(attempt.ms)}
            </span>
          </div>
          {attempt.error && <p class="fault">{serverText(attempt.error)}</p>}
          {attempt.response && <Text label={t('Response')} text={attempt.response} />}
        </li>
      ))}
    </ol>
  )
}

/** Attempts can follow each other within seconds. */
function exactTime(at: string): string {
  return new Date(at).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'medium' })
}

function Request({ of: { id, type } }: { of: Delivery }) {
  const loaded = useData(
    (signal) => get<{ body: string | null }>(`/console/webhook-deliveries/${id}/request`, signal),
    [id],
  )
  if (!loaded.data || loaded.error) return <LoadingOrError of={loaded} />
  const { body } = loaded.data
  if (body !== null) return <Text label={t('Request')} text={indented(body)} />
  return (
    <p class="muted">
      {type === 'log.pruned'
        ? t('Nothing was sent.')
        : t('The log no longer has this change, so its request cannot be shown.')}
    </p>
  )
}

/** JSON on several lines, with each value as it was sent: numbers keep all their digits. */
function indented(json: string): string {
  let lead = '\n'
  return json.replace(/"(?:[^"\\]|\\.)*"|\{\}|\[\]|[{}[\],:]/g, (token) => {
    if (token === ',') return token + lead
    if (token === ':') return ': '
    if (token === '{' || token === '[') {
      lead += '  '
      return token + lead
    }
    if (token !== '}' && token !== ']') return token
    lead = lead.slice(0, -2)
    return lead + token
  })
}

function Text({ label, text }: { label: string; text: string }) {
  return (
    <figure class="stack tight">
      <figcaption class="muted small">{label}</figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard */}
      <pre class="body-text" tabIndex={0}>
        {text}
      </pre>
    </figure>
  )
}

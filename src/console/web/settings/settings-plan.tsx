import type { PlanUsage } from '../../company.ts'
import { get } from '../data/http.ts'
import { useData } from '../data/use-data.ts'
import { Card } from '../parts/card.tsx'
import { WhenLoaded } from '../parts/error-notice.tsx'
import { T } from '../parts/rich-text.tsx'
import { environmentOf, href } from '../session/place.ts'
import { resourceOf, session } from '../session/session.ts'
import { number, sizeText, word } from '../text/format.ts'
import { t } from '../text/texts.ts'

/** From this share of a limit on, its meter warns. */
const nearlyFull = 0.9

/** The limits of the plan, which the operator of the server chooses, and what is used of them. */
export function PlanSettings() {
  const loaded = useData((signal) => get<PlanUsage>('/console/plan', signal), [])
  const isTest = environmentOf(location.pathname) === 'test'
  return (
    <Card label={t('Plan')} heading={t('Plan: {word}', { word: word(session.value!.plan.name) })}>
      <WhenLoaded loaded={loaded}>
        {loaded.data && (
          <div class="body stack">
            <Limits of={loaded.data} />
            {isTest && <p class="muted small">{t('The numbers of records are those of the test workspace.')}</p>}
            <p class="muted small">
              <T
                text="Requests are counted for each API key. The operator of this server changes the plan with {command}."
                command={<code>kontor plan set</code>}
              />
            </p>
          </div>
        )}
      </WhenLoaded>
    </Card>
  )
}

function Limits({ of: { plan, users, used } }: { of: PlanUsage }) {
  const { name: _, ...limits } = plan
  return (
    <dl class="facts">
      {Object.entries(limits).map(([limit, value]) => {
        const count = used[limit as keyof PlanUsage['plan']]
        const isSize = limit === 'max_storage_bytes'
        const text = isSize ? sizeText : number
        return (
          <>
            <dt key={limit}>{isSize ? t('Storage') : word(limit)}</dt>
            <dd class="number">
              {count === undefined ? limitText(value) : <Used used={count} max={value as number | null} text={text} />}
            </dd>
          </>
        )
      })}
      <dt>{t('Users')}</dt>
      <dd class="number">{t('{used}, unlimited', { used: number(users) })}</dd>
    </dl>
  )
}

interface UsedProps {
  used: number
  /** Null: there is no limit. */
  max: number | null
  text: (value: number) => string
}

function Used({ used, max, text }: UsedProps) {
  if (max === null) return <>{t('{used}, unlimited', { used: text(used) })}</>
  const share = max === 0 ? 1 : Math.min(1, used / max)
  const color = share < nearlyFull ? 'var(--accent)' : 'var(--danger)'
  return (
    <div class="stack tight">
      {t('{used} of {max}', { used: text(used), max: text(max) })}
      <div class="meter">
        <div style={{ width: `${share * 100}%`, backgroundColor: color }} />
      </div>
    </div>
  )
}

function limitText(value: number | boolean | null): string {
  if (value === null) return t('Unlimited')
  return typeof value === 'boolean' ? (value ? t('Included') : t('Not included')) : number(value)
}

/** The pages that a newcomer looks for in the settings. */
export function DataLinks() {
  const { plan } = session.value!
  const links = [
    { page: '/import', label: t('Import'), about: t('Bring in contacts, deals and more from files, and undo it') },
    { page: '/keys', label: t('API keys'), about: t('Let programs read and write your records') },
    ...(plan.webhooks
      ? [{ page: '/webhooks', label: resourceOf('webhook').plural, about: t('Tell programs what changes') }]
      : []),
    { page: '/trash', label: t('Trash'), about: t('Restore what was deleted') },
  ]
  return (
    <Card label={t('Data and programs')}>
      <dl class="body facts">
        {links.map(({ page, label, about }) => (
          <>
            <dt key={page}>
              <a href={href(page)}>{label}</a>
            </dt>
            <dd class="muted">{about}</dd>
          </>
        ))}
      </dl>
    </Card>
  )
}

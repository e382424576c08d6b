import { Circle, CircleCheck, X } from 'lucide'
import { useState } from 'preact/hooks'
import type { FirstSteps } from '../../first-steps.ts'
import { get } from '../data/http.ts'
import { useNews } from '../data/news.ts'
import { useData } from '../data/use-data.ts'
import { useReturn } from '../data/use-return.ts'
import { Icon } from '../parts/icon.tsx'
import { SampleData } from '../parts/sample-data.tsx'
import { environmentOf, href } from '../session/place.ts'
import { isAdmin, session } from '../session/session.ts'
import { recall, remember } from '../session/storage.ts'
import { t } from '../text/texts.ts'

const steps = [
  {
    name: 'contacts',
    page: '/import',
    label: t('Import your contacts'),
    or: { page: '/contacts', label: t('or add one') },
  },
  { name: 'stages', page: '/settings/stages', label: t('Set up the stages of your pipeline') },
  { name: 'colleagues', page: '/settings/users', label: t('Invite colleagues') },
  { name: 'deals', page: '/deals', label: t('Create a first deal') },
] as const

/** What a new workspace still needs. Shown to owners and admins until everything is done or they hide it. */
export function Checklist() {
  const [hidden, hide] = useHidden()
  if (hidden || !isAdmin() || environmentOf(location.pathname) === 'test') return null
  return <Card onHide={hide} />
}

function Card({ onHide }: { onHide: () => void }) {
  const loaded = useData((signal) => get<FirstSteps>('/console/first-steps', signal), [])
  useReturn(loaded.refresh)
  useNews(() => true, loaded.refresh)
  const { data } = loaded
  if (!data || (data.samples !== 'present' && steps.every(({ name }) => data[name]))) return null
  return (
    <section class="card" aria-label={t('First steps')}>
      <header>
        <h2>{t('First steps')}</h2>
        <button type="button" class="button quiet square" aria-label={t('Hide the first steps')} onClick={onHide}>
          <Icon of={X} />
        </button>
      </header>
      <div class="body stack">
        <SampleData state={data.samples} />
        <ul class="stack tight">
          {steps.map((step) => (
            <Step key={step.name} {...step} done={data[step.name]} />
          ))}
        </ul>
      </div>
    </section>
  )
}

interface StepProps {
  page: string
  label: string
  or?: { page: string; label: string }
  done: boolean
}

function Step({ page, label, or, done }: StepProps) {
  return (
    <li class="check">
      <Icon of={done ? CircleCheck : Circle} />
      {done ? (
        <div class="muted">
          <s>{label}</s> <span class="unseen">{t('done')}</span>
        </div>
      ) : (
        <div>
          <a href={href(page)}>{label}</a> {or && <a href={href(or.page)}>{or.label}</a>}
        </div>
      )}
    </li>
  )
}

/** Whether this user has hidden the steps in this browser. */
function useHidden(): [boolean, () => void] {
  const key = `kontor.first-steps.${session.value!.user.id}`
  const [hidden, setHidden] = useState(() => recall(key) !== null)
  const hide = () => {
    setHidden(true)
    remember(key, 'hidden')
  }
  return [hidden, hide]
}

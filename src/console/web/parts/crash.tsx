import { Bug } from 'lucide'
import { Fragment, type JSX } from 'preact'
import { useEffect, useErrorBoundary, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { t } from '../text/texts.ts'
import { Card } from './card.tsx'
import { Empty } from './empty.tsx'

/** Replaces a part of the page that threw: shows the error, a way to continue, and the unsaved input. */
export function Crash({ children }: { children: JSX.Element }) {
  const { path } = useLocation()
  const [broken, setBroken] = useState<{ path: string; typed: Typed[] }>()
  const [error, retry] = useErrorBoundary(() => setBroken({ path, typed: typedTexts() }))
  useEffect(() => {
    if (error && broken?.path !== path) retry()
  }, [path])
  if (error) return <Broken error={error} typed={broken?.typed} retry={retry} />
  return children
}

interface BrokenProps {
  error: Error
  typed?: Typed[] | undefined
  retry?: () => void
}

export function Broken({ error, typed = [], retry }: BrokenProps) {
  return (
    <div class="page" role="alert">
      <Empty
        icon={Bug}
        title={t('Something went wrong on this page')}
        actions={
          <>
            {retry && (
              <button type="button" class="button" onClick={retry}>
                {t('Try again')}
              </button>
            )}
            <button type="button" class="button primary" onClick={() => location.reload()}>
              {t('Reload')}
            </button>
          </>
        }
      >
        {t('It stopped at: {message}. What was saved before is safe.', { message: error.message })}
      </Empty>
      {typed.length > 0 && (
        <Card label={t('Your unsaved input')}>
          <dl class="facts body">
            {typed.map(({ label, text }, at) => (
              <Fragment key={at}>
                <dt>{label}</dt>
                <dd>{text}</dd>
              </Fragment>
            ))}
          </dl>
        </Card>
      )}
    </div>
  )
}

interface Typed {
  label: string
  text: string
}

/** The text of all inputs that still exist, except passwords. */
function typedTexts(): Typed[] {
  const inputs = document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
    'input:is([type="text"], [type="email"], [type="tel"], [type="number"], [type="date"], [type="time"], [role="combobox"]), textarea',
  )
  return [...inputs].flatMap(({ labels, value }) =>
    value === '' ? [] : [{ label: labels?.[0]?.textContent ?? '', text: value }],
  )
}

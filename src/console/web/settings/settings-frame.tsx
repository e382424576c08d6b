import type { ComponentChildren } from 'preact'
import { Segments } from '../parts/segments.tsx'
import { useTitle } from '../parts/use-title.ts'
import { href } from '../session/place.ts'
import { t } from '../text/texts.ts'
import { settingsSections } from './settings-sections.ts'

/** The heading and the menu around a section of the settings. */
export function SettingsFrame({ current, children }: { current: string; children: ComponentChildren }) {
  const offered = settingsSections()
  useTitle(offered.find(({ name }) => name === current)?.label ?? t('Settings'))
  return (
    <div class="page narrow">
      <h1>{t('Settings')}</h1>
      <Segments label={t('Settings')} links>
        {offered.map(({ name, label }) => (
          <a key={name} href={href(`/settings/${name}`)} aria-current={name === current}>
            {label}
          </a>
        ))}
      </Segments>
      {children}
    </div>
  )
}

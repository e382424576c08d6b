import { Segments } from '../parts/segments.tsx'
import { t } from '../text/texts.ts'
import { chooseTheme, type Theme, theme, themes } from './theme.ts'

const labels: Readonly<Record<Theme, string>> = { system: t('As the system'), light: t('Light'), dark: t('Dark') }

/** The theme, which this browser remembers. */
export function ThemeSettings() {
  return (
    <section class="card" aria-label={t('Appearance')}>
      <header>
        <h2>{t('Appearance')}</h2>
      </header>
      <div class="body">
        <Segments label={t('Theme of this browser')}>
          {themes.map((each) => (
            <button key={each} type="button" aria-pressed={each === theme.value} onClick={() => chooseTheme(each)}>
              {labels[each]}
            </button>
          ))}
        </Segments>
      </div>
    </section>
  )
}
